// Plots of a sweep: bandwidth over block size, and a heat map of the speed of a batch relative to a
// loop.
#pragma once

#include <span>
#include <string>

#include "sweep.hpp"

namespace convoy::tools {

struct plot_captions {
  std::string title;
  std::string subtitle;
  std::string conclusion;
};

// Throws a failure unless the name ends in .png or .svg.
void check_plot_name(const std::string& path);

// PNG or SVG, by the ending of the name.
void write_plot(const std::string& path, std::span<const sweep_point> points,
                const plot_captions& captions);

}  // namespace convoy::tools
