// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <opencv2/core.hpp>
#include <optional>
#include <span>
#include <vector>

#include "vision/change/change_detector.h"
#include "vision/dice/dice_finder.h"
#include "vision/pipeline/sighting.h"
#include "vision/scene/terrain_map.h"

namespace fos {

// Whether a die would lie where a stand stands.
bool OnAStand(const DieFound& die, const std::vector<StandObservation>& stands);

// Takes the dice out of what has changed on the table, and remembers them: what lies there from
// earlier throws is told once, and told again when it is picked up.
class DiceTracker {
 public:
  // scenario  its dice, and its shells: a small die that shows a one looks like one
  explicit DiceTracker(const Scenario& scenario);

  // Whether a projectile or a stand explains what a die was found in, in the pictures as they are
  // then.
  // beside  dice that came with it
  using IsOther = std::function<bool(const DieFound& die, std::span<const DieFound> beside)>;

  // Dice that came into a settled region or left it. They are hidden from the pictures.
  // part   of the whole picture, what the pictures show
  // scale  how many times the change detector shrinks the picture
  struct Looked {
    // The part of the region that dice explain: no mask where none does. The rest of it is left to
    // others.
    SettledRegion by_dice;
    std::vector<Vec2> taken;  // centres of told dice that have been picked up
  };
  // is_other   asked only where a die was found, and again when others have been hidden from the
  //            pictures. Empty: nothing but dice lies there, not even a shell.
  // shots      projectiles that have been found there: no die is looked for in a measured swab
  // by_stands  CV_8UC1 of the pictures' size, 255 where stands explain what came: no die is looked
  //            for there either; or empty
  Looked Look(SettledRegion& region, ShotPictures& pictures, const cv::Rect& part, int scale,
              const TerrainMap& terrain, const IsOther& is_other,
              const std::vector<ProjectileFinding>& shots = {}, const cv::Mat& by_stands = {});
  // Whether any is known to lie on the table.
  bool Any() const { return !dice_.empty(); }

  // The throw, once all of its dice have lain still for half a second; nothing before, or where
  // there is none. Each is told once.
  // clear   no hand is over the table and nothing moves
  // stands  as they stand now: what stands there is no die, but a figure or a bar
  std::optional<DiceSeen> Throw(double time_s, bool clear,
                                const std::vector<StandObservation>& stands);

  // Whether a projectile that was found explains what a die was found in: a measured one does,
  // unless it is a shell and several pips are read. One that is only asked about does where the die
  // is not read, or shows a one and is as small as the scenario's shells. No shell explains what
  // came with a die of the same make on which several pips are read. A twelve-sided die is
  // left only to what is measured, and not to a shell where its number is read.
  // beside  dice that came with it
  bool IsLeftTo(const ProjectileFinding& projectile, const DieFound& die,
                std::span<const DieFound> beside) const;

  // Whether a die came to rest no more than so many frames before or after.
  bool CameWith(FrameId at_rest, std::int64_t frames) const;

  // The camera was moved: the dice are elsewhere in the picture now.
  // now  of the whole picture
  void CameraMoved(const TableCamera& now);

 private:
  struct Lying {
    DieFound die;
    double at_rest_s = 0;
    bool told = false;
    FrameId at_rest;
    std::vector<cv::Point> covered;  // of the whole picture
    cv::Rect part;                   // of it: what `bare` and `seen` show
    TableCamera camera;              // of that part
    cv::Mat bare;                    // CV_8UC3, before it came
    cv::Mat seen;                    // CV_8UC3, with it
  };
  // Whether it shows a one and is as small as the scenario's shells.
  bool MayBeShell(const DieFound& die) const;
  // Whether most of the pixels of a die have changed.
  static bool HasGone(const Lying& lying, const ShotPictures& pictures, const cv::Rect& part);

  std::vector<int> faces_;  // of the dice that are thrown
  double shell_in_ = 0;    // side of the scenario's shells; 0: none
  std::vector<Lying> dice_;
};

// The dice of a throw side by side, magnified, each in a frame. CV_8UC3.
// words  lines below each of them
cv::Mat DrawDice(const DiceSeen& dice, const std::vector<std::vector<std::string>>& words);

}  // namespace fos
