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
#include "shared/atomic_file.hpp"
#include "shared/failure.hpp"
#include "shared/terminal.hpp"

namespace convoy::tools {
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

// Cairo, with a function for each element of the plots.
class painter {
 public:
  explicit painter(cairo_t* context) : context_(context) {}

  void use(const colour& c) const { cairo_set_source_rgb(context_, c.red, c.green, c.blue); }
  void font(double size, bool bold = false) const {
    cairo_select_font_face(context_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context_, size);
  }
  [[nodiscard]] double width_of(const std::string& text) const {
    cairo_text_extents_t extents;
    cairo_text_extents(context_, text.c_str(), &extents);
    return extents.x_advance;
  }
  void text(double x, double y, const std::string& line, anchor at = anchor::start) const {
    const double part = at == anchor::start ? 0 : at == anchor::middle ? 0.5 : 1;
    cairo_move_to(context_, x - part * width_of(line), y);
    cairo_show_text(context_, line.c_str());
  }
  void upright_text(double x, double y, const std::string& line) const {
    cairo_save(context_);
    cairo_translate(context_, x, y);
    cairo_rotate(context_, -std::acos(-1.0) / 2);
    text(0, 0, line, anchor::middle);
    cairo_restore(context_);
  }
  void box(const frame& f) const {
    cairo_rectangle(context_, f.x, f.y, f.width, f.height);
    cairo_fill(context_);
  }
  void stroke(const std::vector<std::pair<double, double>>& points, double line_width,
              bool dashed = false) const {
    const std::array<double, 2> dashes{6, 4};
    cairo_set_dash(context_, dashes.data(), dashed ? 2 : 0, 0);
    cairo_set_line_width(context_, line_width);
    cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
    cairo_new_path(context_);  // text leaves a current point
    for (const auto& [x, y] : points) cairo_line_to(context_, x, y);
    cairo_stroke(context_);
    cairo_set_dash(context_, nullptr, 0, 0);
  }
  void dot(double x, double y, double radius) const {
    cairo_new_path(context_);
    cairo_arc(context_, x, y, radius, 0, 2 * std::acos(-1.0));
    cairo_fill(context_);
  }

 private:
  cairo_t* context_;
};

struct series {
  std::string name;
  colour shade;
  bool dashed;
  std::vector<double> rates;  // GB/s for each size; 0 where it was not measured
};

std::vector<series> series_of(std::span<const sweep_point> points) {
  std::vector<series> all{{"limit of the machine", {0.45, 0.48, 0.52}, true, {}},
                          {"one batch", {0.0, 0.45, 0.70}, false, {}},
                          {"memcpy loop, one thread", {0.90, 0.62, 0.0}, false, {}},
                          {"loop of single copies", {0.0, 0.62, 0.45}, false, {}}};
  for (const sweep_point& each : points) {
    const auto rate = [&](double ratio) { return ratio > 0 ? each.gbps / ratio : 0; };
    all[0].rates.push_back(rate(each.ratio_to_limit));
    all[1].rates.push_back(each.gbps);
    all[2].rates.push_back(rate(each.ratio_to_memcpy));
    all[3].rates.push_back(rate(each.ratio_to_loop));
  }
  std::erase_if(all, [](const series& s) { return std::ranges::max(s.rates) <= 0; });
  return all;
}

// A round number that divides the axis into at most six parts.
double tick_for(double most) {
  const double power = std::pow(10, std::floor(std::log10(most / 5)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (most / (factor * power) <= 6) return factor * power;
  }
  return 10 * power;
}

void draw_axes(const painter& canvas, const frame& in, std::span<const sweep_point> points,
               double most) {
  canvas.font(11);
  const double tick = tick_for(most);
  for (int step = 0; step * tick <= most; ++step) {
    const double value = step * tick;
    const double y = in.bottom() - value / most * in.height;
    canvas.use(rule);
    canvas.stroke({{in.x, y}, {in.right(), y}}, 1);
    canvas.use(soft);
    canvas.text(in.x - 8, y + 4, fmt::format("{:g}", value), anchor::end);
  }
  const double each = in.width / static_cast<double>(points.size());
  for (std::size_t i = 0; i != points.size(); ++i) {
    const double x = in.x + (static_cast<double>(i) + 0.5) * each;
    canvas.text(x, in.bottom() + 18, size_text(points[i].bytes), anchor::middle);
    canvas.font(9);
    canvas.text(x, in.bottom() + 31, fmt::format("x {}", points[i].count), anchor::middle);
    canvas.font(11);
  }
  canvas.text(in.x + in.width / 2, in.bottom() + 50, "block size x blocks in a batch",
              anchor::middle);
  canvas.upright_text(in.x - 40, in.y + in.height / 2, "GB/s");
}

void draw_bandwidth(const painter& canvas, const frame& in, std::span<const sweep_point> all) {
  const auto points = largest_batches(all);
  const auto lines = series_of(points);
  double most = 0;
  for (const series& each : lines) most = std::max(most, std::ranges::max(each.rates));
  most *= 1.08;
  canvas.use(ink);
  canvas.font(13, true);
  canvas.text(in.x, in.y - 34, "Bandwidth of scattered copies");
  draw_axes(canvas, in, points, most);
  const double step = in.width / static_cast<double>(points.size());
  double key = in.x;
  for (const series& each : lines) {
    std::vector<std::pair<double, double>> path;
    for (std::size_t i = 0; i != each.rates.size(); ++i) {
      if (each.rates[i] <= 0) continue;
      path.emplace_back(in.x + (static_cast<double>(i) + 0.5) * step,
                        in.bottom() - each.rates[i] / most * in.height);
    }
    canvas.use(each.shade);
    canvas.stroke(path, each.name == "one batch" ? 3 : 2, each.dashed);
    for (const auto& [x, y] : path) canvas.dot(x, y, each.name == "one batch" ? 4 : 3);
    canvas.box({key, in.y - 22, 12, 4});
    canvas.font(11);
    canvas.use(soft);
    canvas.text(key + 17, in.y - 15, each.name);
    key += 34 + canvas.width_of(each.name);
  }
}

// Blue where a batch is faster than the loop, orange where it is slower.
colour shade_of(double gain) {
  const double strength = std::clamp(std::abs(std::log2(gain)) / 3, 0.0, 1.0);
  const colour end = gain >= 1 ? colour{0.0, 0.40, 0.66} : colour{0.85, 0.45, 0.10};
  const auto mix = [&](double to) { return 0.965 + (to - 0.965) * strength; };
  return {mix(end.red), mix(end.green), mix(end.blue)};
}

void draw_cell(const painter& canvas, const frame& in, const sweep_point& point) {
  const colour shade = shade_of(point.ratio_to_loop);
  canvas.use(shade);
  canvas.box(in);
  canvas.use(shade.green < 0.6 && shade.red < 0.6 ? white : ink);
  canvas.font(std::min(11.0, in.width / 4.2));
  canvas.text(in.x + in.width / 2, in.y + in.height / 2 + 4,
              fmt::format("{:.{}f}", point.ratio_to_loop, point.ratio_to_loop < 9.95 ? 1 : 0),
              anchor::middle);
}

void draw_gain(const painter& canvas, const frame& in, std::span<const sweep_point> points) {
  std::set<std::size_t> sizes;
  std::set<std::size_t> counts;
  for (const sweep_point& each : points) {
    sizes.insert(each.bytes);
    counts.insert(each.count);
  }
  const double wide = in.width / static_cast<double>(sizes.size());
  const double tall = in.height / static_cast<double>(counts.size());
  const auto index_of = [](const std::set<std::size_t>& all, std::size_t value) {
    return static_cast<double>(std::distance(all.begin(), all.find(value)));
  };
  canvas.use(ink);
  canvas.font(13, true);
  canvas.text(in.x, in.y - 34, "Speed of one batch relative to a loop");
  canvas.font(11);
  canvas.use(soft);
  canvas.text(in.x, in.y - 15, "of single copies in the same stream");
  canvas.use(rule);
  canvas.box(in);
  for (const sweep_point& each : points) {
    draw_cell(canvas,
              {in.x + index_of(sizes, each.bytes) * wide + 1,
               in.bottom() - (index_of(counts, each.count) + 1) * tall + 1, wide - 2, tall - 2},
              each);
  }
  canvas.use(soft);
  canvas.font(11);
  for (const std::size_t each : sizes) {
    canvas.text(in.x + (index_of(sizes, each) + 0.5) * wide, in.bottom() + 18, size_text(each),
                anchor::middle);
  }
  for (const std::size_t each : counts) {
    canvas.text(in.x - 8, in.bottom() - (index_of(counts, each) + 0.5) * tall + 4,
                fmt::to_string(each), anchor::end);
  }
  canvas.text(in.x + in.width / 2, in.bottom() + 50, "block size", anchor::middle);
  canvas.upright_text(in.x - 48, in.y + in.height / 2, "blocks in a batch");
}

constexpr double margin = 40;
constexpr double picture_height = 560;

bool has_gain(std::span<const sweep_point> points) {
  return std::ranges::any_of(points, [](const sweep_point& p) { return p.ratio_to_loop > 0; });
}

double picture_width(std::span<const sweep_point> points) { return has_gain(points) ? 1240 : 760; }

void draw(cairo_t* context, std::span<const sweep_point> points, const plot_captions& captions) {
  const painter canvas(context);
  canvas.use(white);
  canvas.box({0, 0, picture_width(points), picture_height});
  canvas.use(ink);
  canvas.font(18, true);
  canvas.text(margin, 42, captions.title);
  canvas.font(12);
  canvas.use(soft);
  canvas.text(margin, 62, captions.subtitle);
  canvas.use(ink);
  canvas.text(margin, picture_height - 20, captions.conclusion);
  const frame left{margin + 45, 130, 620, 320};
  draw_bandwidth(canvas, left, points);
  if (has_gain(points)) draw_gain(canvas, {left.right() + 110, 130, 400, 320}, points);
}

using surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

void check(cairo_status_t outcome) {
  if (outcome != CAIRO_STATUS_SUCCESS) throw std::runtime_error(cairo_status_to_string(outcome));
}

cairo_status_t append(void* to, const unsigned char* bytes, unsigned count) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

std::string make_png(std::span<const sweep_point> points, const plot_captions& captions) {
  constexpr double sharp = 2;  // pixels per point
  const surface image(cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                                 static_cast<int>(picture_width(points) * sharp),
                                                 static_cast<int>(picture_height * sharp)),
                      cairo_surface_destroy);
  const context drawing(cairo_create(image.get()), cairo_destroy);
  cairo_scale(drawing.get(), sharp, sharp);
  draw(drawing.get(), points, captions);
  std::string contents;
  check(cairo_surface_write_to_png_stream(image.get(), append, &contents));
  return contents;
}

std::string make_svg(std::span<const sweep_point> points, const plot_captions& captions) {
  std::string contents;
  const surface image(
      cairo_svg_surface_create_for_stream(append, &contents, picture_width(points), picture_height),
      cairo_surface_destroy);
  const context drawing(cairo_create(image.get()), cairo_destroy);
  draw(drawing.get(), points, captions);
  cairo_surface_finish(image.get());
  check(cairo_surface_status(image.get()));
  return contents;
}

}  // namespace

void check_plot_name(const std::string& path) {
  if (path.ends_with(".png") || path.ends_with(".svg")) return;
  throw failure(fmt::format("{} is not a plot file; the name must end in .png or .svg", path));
}

void write_plot(const std::string& path, std::span<const sweep_point> points,
                const plot_captions& captions) {
  check_plot_name(path);
  write_file(path,
             path.ends_with(".png") ? make_png(points, captions) : make_svg(points, captions));
}

}  // namespace convoy::tools
