// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "datasets/render/wild_camera.h"
#include "datasets/render/wild_dice.h"
#include "datasets/render/wild_table.h"
#include "vision/pipeline/pipeline.h"

namespace fos {

// What happened in one step, and what the detector said of it.
struct WildStep {
  WildThing truth;                   // what came to rest, if anything did
  std::vector<std::string> classes;  // what to count it under: "ground: snow", "junk: coin", ...
  std::optional<Vec2> taken;         // where something was picked up
  std::vector<ShotSeen> seen;
  std::vector<ObjectSeen> objects;  // new things that are told as no shot
  cv::Mat before;  // the last frames of the step before and of this one
  cv::Mat after;
};

// A throw of dice, and what the detector said of it.
struct WildThrow {
  std::vector<WildDie> dice;
  double side_in = 0;  // of a cube; of others the distance between opposite faces
  // Of each die, whether its pips or its number stand out on the sensor: glare and a full sensor
  // leave nothing.
  std::vector<bool> shows;
  std::vector<DiceSeen> seen;
  std::vector<ShotSeen> shots;
  cv::Mat after;  // the last frame
};

// One wild table, one camera and one pipeline, frame after frame.
class WildSession {
 public:
  // unseen     drops junk of the classes for measuring only
  // on_judged  as of ShotDetectorOptions
  // faces      of the dice that Throw throws: 6 or 12
  WildSession(std::uint32_t seed, bool unseen, OnJudged on_judged = {}, int faces = 6);

  const WildTable& Table() const { return made_; }
  const Pipeline& Detector() const { return pipeline_; }
  // What was laid on it and not taken up.
  const std::vector<WildThing>& Lying() const { return lying_; }

  // Shows the table until the detector should know it.
  Status Start();
  // A shot, a piece of junk, or an event without either. Nothing where a thing found no place.
  Result<std::optional<WildStep>> Step();
  // A throw of one to five dice with six faces, or one to four with twelve. Nothing where there is
  // no room for one.
  Result<std::optional<WildThrow>> Throw();

 private:
  cv::Rect Whole() const { return {0, 0, made_.camera.lens.width_px, made_.camera.lens.height_px}; }
  int SettleFrames() const;
  WildOptics OpticsOf();
  Status Watch(int frames);
  void Rerender(std::span<const WildSolid> changed);
  void Lay(WildThing& thing);
  WildThrow Toss();
  bool ValueShows(const WildDie& die, double side_in) const;
  Status Reach(Vec2 place, const std::function<void()>& under_it);
  Status UseHand(WildStep& step);
  std::string NudgeFigure();
  std::string CastShadow();
  std::string Disturb();

  bool unseen_;
  int faces_;
  WildTable made_;
  Draws draws_;
  Pipeline pipeline_;
  LightLayers layers_;
  WildCamera camera_;
  cv::Mat focused_;  // the light behind the lens; empty when it must be made anew
  cv::Mat last_;     // the last frame
  std::vector<ShotSeen> seen_;
  std::vector<ObjectSeen> objects_;
  std::vector<DiceSeen> dice_seen_;
  int figures_ = 0;     // groups of solids below this are figures
  int next_group_ = 0;  // of what is laid
  std::vector<WildThing> lying_;
  int shade_moves_ = 0;  // frames for which the shadow still moves
  Vec2 shade_step_;      // inches a frame
  std::int64_t frame_ = 0;
};

}  // namespace fos
