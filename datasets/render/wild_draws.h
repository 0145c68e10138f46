// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

// Random draws and noise of the wild tables. Two of the same seed are alike on any machine.
namespace fos {

// Draws from one seed.
class Draws {
 public:
  explicit Draws(std::uint32_t seed) : random_(Mixed(seed)) {}

  double Uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(random_()) / 4294967296.0);
  }
  // Even in the logarithm: as likely between 1 and 2 as between 2 and 4.
  double LogUniform(double low, double high) { return low * std::pow(high / low, Uniform(0, 1)); }
  bool Happens(double probability) { return Uniform(0, 1) < probability; }
  int Below(int count) { return static_cast<int>(random_() % static_cast<std::uint32_t>(count)); }
  std::uint32_t Seed() { return static_cast<std::uint32_t>(random_()); }
  template <typename T, std::size_t N>
  T OneOf(const std::array<T, N>& of) {
    return of[static_cast<std::size_t>(Below(static_cast<int>(N)))];
  }
  template <typename T>
  const T& OneOf(const std::vector<T>& of) {
    return of[static_cast<std::size_t>(Below(static_cast<int>(of.size())))];
  }

 private:
  // Neighbouring seeds must not give related draws. source  Wellons, lowbias32
  static std::uint32_t Mixed(std::uint32_t seed) {
    seed = (seed ^ (seed >> 16)) * 0x7feb352dU;
    seed = (seed ^ (seed >> 15)) * 0x846ca68bU;
    return seed ^ (seed >> 16);
  }

  std::mt19937 random_;
};

// Without pattern, [-1, 1), by lattice point.
inline double LatticeNoise(int x, int y, int z, std::uint32_t salt) {
  std::uint32_t h = salt + 0x9e3779b9U * static_cast<std::uint32_t>(x);
  h = (h ^ (h >> 15)) * 0x2c1b3c6dU + 0x85157af5U * static_cast<std::uint32_t>(y);
  h = (h ^ (h >> 12)) * 0x297a2d39U + 0xc2b2ae3dU * static_cast<std::uint32_t>(z);
  h = (h ^ (h >> 15)) * 0x2c1b3c6dU;
  return static_cast<double>(h ^ (h >> 16)) / 2147483648.0 - 1;
}

// Smooth, [-1, 1], changing over a unit of length.
inline double SmoothNoise(double x, double y, std::uint32_t salt) {
  const double fx = std::floor(x);
  const double fy = std::floor(y);
  const int i = static_cast<int>(fx);
  const int j = static_cast<int>(fy);
  const double u = (x - fx) * (x - fx) * (3 - 2 * (x - fx));
  const double v = (y - fy) * (y - fy) * (3 - 2 * (y - fy));
  const double low = LatticeNoise(i, j, 0, salt) * (1 - u) + LatticeNoise(i + 1, j, 0, salt) * u;
  const double high =
      LatticeNoise(i, j + 1, 0, salt) * (1 - u) + LatticeNoise(i + 1, j + 1, 0, salt) * u;
  return low * (1 - v) + high * v;
}
inline double SmoothNoise(double x, double y, double z, std::uint32_t salt) {
  const double fz = std::floor(z);
  const double w = (z - fz) * (z - fz) * (3 - 2 * (z - fz));
  const auto level = [&](double k) {
    return SmoothNoise(x, y, salt + 0x632be5abU * static_cast<std::uint32_t>(static_cast<int>(k)));
  };
  return level(fz) * (1 - w) + level(fz + 1) * w;
}
// Three octaves of it: clouds.
inline double CloudNoise(double x, double y, std::uint32_t salt) {
  return (SmoothNoise(x, y, salt) + 0.5 * SmoothNoise(2.1 * x, 2.1 * y, salt + 1) +
          0.25 * SmoothNoise(4.3 * x, 4.3 * y, salt + 2)) /
         1.75;
}
// 0 below low, 1 above high, smooth between.
inline double SmoothStep(double low, double high, double value) {
  const double t = std::fmin(std::fmax((value - low) / (high - low), 0.0), 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace fos
