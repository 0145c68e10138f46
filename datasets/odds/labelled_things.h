// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "datasets/render/wild_things.h"
#include "datasets/score/score_truth.h"
#include "engine/table/result.h"
#include "vision/shots/shot_trace.h"

// What the image model made of things whose truth is known, for fitting the odds anew.
namespace fos {

using NamedNumbers = std::vector<std::pair<std::string, double>>;

struct LabelledThing {
  std::string table;  // the seed or the clip: what must not be split between fit and test
  Projectile as = Projectile::kQtip;
  Vec2 point;  // inches
  Vec2 tail;
  bool is_it = false;      // a projectile of that kind lies there so
  bool tip_right = false;  // of a swab: its tip is the dipped end
  double weight = 1;       // all records of one thing together count 1
  NamedNumbers terms;      // as of JudgedThing, like the next two
  NamedNumbers ends;
  NamedNumbers seen;
};

// Labels what is judged on one table, and holds what the odds decide.
class ThingLabels {
 public:
  explicit ThingLabels(std::string table) : table_(std::move(table)) {}

  // lying  what lies there now. What is laid partly over a projectile is neither it nor another
  //        thing, and is left out.
  void Add(const JudgedThing& judged, std::span<const WildThing> lying);
  // truth  of a clip, which tells a swab's tip alone: what lies there at any time
  void Add(const JudgedThing& judged, const Truth& truth);

  // All, with their weights.
  std::vector<LabelledThing> Things() const;

 private:
  // A projectile of the judged kind that lies there.
  struct TruePose {
    Vec2 point;
    std::optional<Vec2> tail;  // of a swab, where it is known
  };
  void AddAgainst(const JudgedThing& judged, std::span<const TruePose> truth);

  std::string table_;
  std::vector<LabelledThing> things_;
};

// A file of labelled things: a line of JSON each.
// errors  kIo; kBadFormat with the line and what is wrong.
Status WriteThings(const std::filesystem::path& file, const std::vector<LabelledThing>& things);
Result<std::vector<LabelledThing>> ReadThings(const std::filesystem::path& file);

}  // namespace fos
