#include "plot.hpp"

#include <cairo-svg.h>
#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>
#include <stdexcept>
#include <vector>

#include "crossover.hpp"
#include "failure.hpp"
#include "new_file.hpp"
#include "terminal.hpp"

namespace convoy::cli {
namespace {

struct colour {
  double red, green, blue;
};
constexpr colour ink{0.11, 0.12, 0.14};
constexpr colour soft{0.40, 0.44, 0.48};
constexpr colour rule{0.88, 0.89, 0.90};
constexpr colour white{1, 1, 1};

struct frame {
  double x, y, width, height;
  [[nodiscard]] double right() const { return x + width; }
  [[nodiscard]] double bottom() const { return y + height; }
};

enum class anchor { start, middle, end };

// Cairo, with words for what the pictures are made of.
class painter {
 public:
  explicit painter(cairo_t* on) : on_(on) {}

  void use(const colour& c) const { cairo_set_source_rgb(on_, c.red, c.green, c.blue); }
  void font(double size, bool bold = false) const {
    cairo_select_font_face(on_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(on_, size);
  }
  [[nodiscard]] double width_of(const std::string& text) const {
    cairo_text_extents_t extents;
    cairo_text_extents(on_, text.c_str(), &extents);
    return extents.x_advance;
  }
  void text(double x, double y, const std::string& what, anchor at = anchor::start) const {
    const double part = at == anchor::start ? 0 : at == anchor::middle ? 0.5 : 1;
    cairo_move_to(on_, x - part * width_of(what), y);
    cairo_show_text(on_, what.c_str());
  }
  void upright_text(double x, double y, const std::string& what) const {
    cairo_save(on_);
    cairo_translate(on_, x, y);
    cairo_rotate(on_, -std::acos(-1.0) / 2);
    text(0, 0, what, anchor::middle);
    cairo_restore(on_);
  }
  void box(const frame& f) const {
    cairo_rectangle(on_, f.x, f.y, f.width, f.height);
    cairo_fill(on_);
  }
  void stroke(const std::vector<std::pair<double, double>>& points, double wide,
              bool dashed = false) const {
    const std::array<double, 2> dashes{6, 4};
    cairo_set_dash(on_, dashes.data(), dashed ? 2 : 0, 0);
    cairo_set_line_width(on_, wide);
    cairo_set_line_join(on_, CAIRO_LINE_JOIN_ROUND);
    cairo_new_path(on_);  // words leave a point behind
    for (const auto& [x, y] : points) cairo_line_to(on_, x, y);
    cairo_stroke(on_);
    cairo_set_dash(on_, nullptr, 0, 0);
  }
  void dot(double x, double y, double radius) const {
    cairo_new_path(on_);
    cairo_arc(on_, x, y, radius, 0, 2 * std::acos(-1.0));
    cairo_fill(on_);
  }

 private:
  cairo_t* on_;
};

struct series {
  std::string name;
  colour shade;
  bool dashed;
  std::vector<double> rates;  // one for each size; 0 where there is none
};

std::vector<series> series_of(std::span<const sweep_point> points) {
  std::vector<series> all{{"what the machine can do", {0.45, 0.48, 0.52}, true, {}},
                          {"one batch", {0.0, 0.45, 0.70}, false, {}},
                          {"memcpy loop, one thread", {0.90, 0.62, 0.0}, false, {}},
                          {"loop of single copies", {0.0, 0.62, 0.45}, false, {}}};
  for (const sweep_point& each : points) {
    const auto of = [&](double ratio) { return ratio > 0 ? each.gbps / ratio : 0; };
    all[0].rates.push_back(of(each.ratio_to_limit));
    all[1].rates.push_back(each.gbps);
    all[2].rates.push_back(of(each.ratio_to_memcpy));
    all[3].rates.push_back(of(each.ratio_to_loop));
  }
  std::erase_if(all, [](const series& s) { return std::ranges::max(s.rates) <= 0; });
  return all;
}

// A round number that divides the axis into a handful of parts.
double tick_for(double most) {
  const double power = std::pow(10, std::floor(std::log10(most / 5)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (most / (factor * power) <= 6) return factor * power;
  }
  return 10 * power;
}

void draw_axes(const painter& to, const frame& in, std::span<const sweep_point> points,
               double most) {
  to.font(11);
  const double tick = tick_for(most);
  for (int step = 0; step * tick <= most; ++step) {
    const double value = step * tick;
    const double y = in.bottom() - value / most * in.height;
    to.use(rule);
    to.stroke({{in.x, y}, {in.right(), y}}, 1);
    to.use(soft);
    to.text(in.x - 8, y + 4, fmt::format("{:g}", value), anchor::end);
  }
  const double each = in.width / static_cast<double>(points.size());
  for (std::size_t i = 0; i != points.size(); ++i) {
    const double x = in.x + (static_cast<double>(i) + 0.5) * each;
    to.text(x, in.bottom() + 18, size_text(points[i].bytes), anchor::middle);
    to.font(9);
    to.text(x, in.bottom() + 31, fmt::format("x {}", points[i].count), anchor::middle);
    to.font(11);
  }
  to.text(in.x + in.width / 2, in.bottom() + 50, "block size x blocks in a batch", anchor::middle);
  to.upright_text(in.x - 40, in.y + in.height / 2, "GB/s");
}

void draw_bandwidth(const painter& to, const frame& in, std::span<const sweep_point> all) {
  const auto points = largest_batches(all);
  const auto lines = series_of(points);
  double most = 0;
  for (const series& each : lines) most = std::max(most, std::ranges::max(each.rates));
  most *= 1.08;
  to.use(ink);
  to.font(13, true);
  to.text(in.x, in.y - 34, "Bandwidth of scattered copies");
  draw_axes(to, in, points, most);
  const double step = in.width / static_cast<double>(points.size());
  double key = in.x;
  for (const series& each : lines) {
    std::vector<std::pair<double, double>> path;
    for (std::size_t i = 0; i != each.rates.size(); ++i) {
      if (each.rates[i] <= 0) continue;
      path.emplace_back(in.x + (static_cast<double>(i) + 0.5) * step,
                        in.bottom() - each.rates[i] / most * in.height);
    }
    to.use(each.shade);
    to.stroke(path, each.name == "one batch" ? 3 : 2, each.dashed);
    for (const auto& [x, y] : path) to.dot(x, y, each.name == "one batch" ? 4 : 3);
    to.box({key, in.y - 22, 12, 4});
    to.font(11);
    to.use(soft);
    to.text(key + 17, in.y - 15, each.name);
    key += 34 + to.width_of(each.name);
  }
}

// From pale to deep blue where a batch wins, to orange where it loses.
colour shade_of(double gain) {
  const double strength = std::clamp(std::abs(std::log2(gain)) / 3, 0.0, 1.0);
  const colour end = gain >= 1 ? colour{0.0, 0.40, 0.66} : colour{0.85, 0.45, 0.10};
  const auto mix = [&](double to) { return 0.965 + (to - 0.965) * strength; };
  return {mix(end.red), mix(end.green), mix(end.blue)};
}

void draw_cell(const painter& to, const frame& in, const sweep_point& point) {
  const colour shade = shade_of(point.ratio_to_loop);
  to.use(shade);
  to.box(in);
  to.use(shade.green < 0.6 && shade.red < 0.6 ? white : ink);
  to.font(std::min(11.0, in.width / 4.2));
  to.text(in.x + in.width / 2, in.y + in.height / 2 + 4,
          fmt::format("{:.{}f}", point.ratio_to_loop, point.ratio_to_loop < 9.95 ? 1 : 0),
          anchor::middle);
}

void draw_gain(const painter& to, const frame& in, std::span<const sweep_point> points) {
  std::set<std::size_t> sizes;
  std::set<std::size_t> counts;
  for (const sweep_point& each : points) {
    sizes.insert(each.bytes);
    counts.insert(each.count);
  }
  const double wide = in.width / static_cast<double>(sizes.size());
  const double tall = in.height / static_cast<double>(counts.size());
  const auto place = [](const std::set<std::size_t>& all, std::size_t one) {
    return static_cast<double>(std::distance(all.begin(), all.find(one)));
  };
  to.use(ink);
  to.font(13, true);
  to.text(in.x, in.y - 34, "How many times as fast one batch is as a loop");
  to.font(11);
  to.use(soft);
  to.text(in.x, in.y - 15, "of single copies in the same stream");
  to.use(rule);
  to.box(in);
  for (const sweep_point& each : points) {
    draw_cell(to,
              {in.x + place(sizes, each.bytes) * wide + 1,
               in.bottom() - (place(counts, each.count) + 1) * tall + 1, wide - 2, tall - 2},
              each);
  }
  to.use(soft);
  to.font(11);
  for (const std::size_t each : sizes) {
    to.text(in.x + (place(sizes, each) + 0.5) * wide, in.bottom() + 18, size_text(each),
            anchor::middle);
  }
  for (const std::size_t each : counts) {
    to.text(in.x - 8, in.bottom() - (place(counts, each) + 0.5) * tall + 4, fmt::to_string(each),
            anchor::end);
  }
  to.text(in.x + in.width / 2, in.bottom() + 50, "block size", anchor::middle);
  to.upright_text(in.x - 48, in.y + in.height / 2, "blocks in a batch");
}

constexpr double margin = 40;
constexpr double picture_height = 560;

bool has_gain(std::span<const sweep_point> points) {
  return std::ranges::any_of(points, [](const sweep_point& p) { return p.ratio_to_loop > 0; });
}

double picture_width(std::span<const sweep_point> points) { return has_gain(points) ? 1240 : 760; }

void draw(cairo_t* on, std::span<const sweep_point> points, const plot_words& words) {
  const painter to(on);
  to.use(white);
  to.box({0, 0, picture_width(points), picture_height});
  to.use(ink);
  to.font(18, true);
  to.text(margin, 42, words.title);
  to.font(12);
  to.use(soft);
  to.text(margin, 62, words.subtitle);
  to.use(ink);
  to.text(margin, picture_height - 20, words.conclusion);
  const frame left{margin + 45, 130, 620, 320};
  draw_bandwidth(to, left, points);
  if (has_gain(points)) draw_gain(to, {left.right() + 110, 130, 400, 320}, points);
}

using surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

void check(cairo_status_t outcome) {
  if (outcome != CAIRO_STATUS_SUCCESS) throw std::runtime_error(cairo_status_to_string(outcome));
}

void write_png(const std::string& path, std::span<const sweep_point> points,
               const plot_words& words) {
  constexpr double sharp = 2;  // pixels for a point
  const surface on(cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                              static_cast<int>(picture_width(points) * sharp),
                                              static_cast<int>(picture_height * sharp)),
                   cairo_surface_destroy);
  const context to(cairo_create(on.get()), cairo_destroy);
  cairo_scale(to.get(), sharp, sharp);
  draw(to.get(), points, words);
  check(cairo_surface_write_to_png(on.get(), path.c_str()));
}

void write_svg(const std::string& path, std::span<const sweep_point> points,
               const plot_words& words) {
  const surface on(cairo_svg_surface_create(path.c_str(), picture_width(points), picture_height),
                   cairo_surface_destroy);
  const context to(cairo_create(on.get()), cairo_destroy);
  draw(to.get(), points, words);
  cairo_surface_finish(on.get());
  check(cairo_surface_status(on.get()));
}

}  // namespace

void write_plot(const std::string& path, std::span<const sweep_point> points,
                const plot_words& words) {
  const bool png = path.ends_with(".png");
  if (!png && !path.ends_with(".svg")) {
    throw failure(fmt::format("{} is no picture; let its name end in .png or .svg", path));
  }
  write_file(path, [&](const std::string& beside) {
    png ? write_png(beside, points, words) : write_svg(beside, points, words);
  });
}

}  // namespace convoy::cli
