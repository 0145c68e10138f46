// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "vision/change/changed_components.h"
#include "vision/change/picture_pair.h"

namespace fos {

struct LightMemoryOptions {
  cv::Size size;          // of the shrunk pictures
  int scale = 1;          // how many times they are shrunk
  int settle_frames = 3;  // where light has stood for so many steps, what jumps came
  int light_frames = 30;  // a light that has stood for so many is the new normal
  double wide_in2 = 3.5;  // a larger change is wide
};

// What has changed, in components.
struct LabelledChange {
  const cv::Mat& changed;  // CV_8UC1, of the shrunk picture: 255 in what has changed
  const cv::Mat& labels;   // LabelComponents
  const std::vector<ChangedComponent>& components;
};

// Remembers other light that falls on parts of the table: where wide changes of light fall, for how
// long they have stood and where they move; and where light alone has changed in the last picture.
class LightMemory {
 public:
  struct Aside {
    // What has changed, without the components that are changes of light but with the things that
    // came to lie in them; empty where no component is one, and no light stays.
    cv::Mat left;
    // CV_8UC1: 255 where light has stood for so long that it is the new normal; may be empty.
    cv::Mat standing;
  };

  explicit LightMemory(const LightMemoryOptions& options);

  // No wide light falls any more; where one moved lately it still counts as moving.
  void Forget();
  // Nor does it count as moving: the background is new.
  void Reset();

  // Call for every picture, then ThatStays, SetAside and Keep where something has changed in it.
  // steps  from the picture that was looked at last to this one
  void Next(int steps);
  // Where a wide change of light that has been told from things falls still, with what its edge has
  // crept over since the last picture: CV_8UC1, empty where there is none. A thing that comes to
  // lie in it or beside it is none of it.
  // before   the shrunk picture that was looked at last; empty where there is none
  // changed  CV_8UC1, of the shrunk picture: 255 in what has changed
  cv::Mat ThatStays(const PicturePair& pair, const cv::Mat& before, const cv::Mat& changed);
  // Tells changes of light from things.
  // change       without the light that stays
  // all_changed  with it: small changes of light are taken out
  Aside SetAside(const PicturePair& pair, const LabelledChange& change, cv::Mat& all_changed);
  // Takes note of where light alone has changed.
  // all_changed  CV_8UC1, of the shrunk picture: 255 where anything has
  // things       likewise: where something else has
  void Keep(const cv::Mat& all_changed, const cv::Mat& things);

  // Whether light has moved in a part of the shrunk picture lately.
  bool MovesIn(const cv::Rect& part) const;
  // Brings a part of the background to the light that falls in the last picture.
  // now  CV_8UC3, of the part's size
  // out  likewise: the background in this picture's exposure
  void Relight(const PicturePair& pair, const cv::Mat& now, const cv::Rect& part,
               cv::Mat& out) const;

 private:
  // A wide change of light, with its soft edges.
  struct Lit {
    cv::Rect about;
    cv::Mat where;       // CV_8UC1, of its size: 255 where nothing else has changed
    bool stays = false;  // it is ThatStays
  };

  // As ThatStays; notes what came beside it.
  cv::Mat StillFalls(const PicturePair& pair, const cv::Mat& before, const cv::Mat& changed);
  // Remembers where light moves. Returns where it stands: Aside::standing.
  // others  CV_8UC1, of the shrunk picture: 255 where something else has changed
  cv::Mat FollowLights(const PicturePair& pair, const std::vector<Lit>& lit, const cv::Mat& others);

  LightMemoryOptions options_;
  int steps_ = 1;
  cv::Mat lit_for_;      // CV_8UC1: for how many steps another light has stood, at most 255
  cv::Mat lit_look_;     // how it looked when it came to stand
  cv::Mat light_moves_;  // CV_8UC1: for so many steps more the light counts as changing
  cv::Mat light_;        // CV_8UC1: 255 where a wide change of light fell last; empty: nowhere
  cv::Mat fell_;         // CV_8UC1: 255 where something came since, that is none of it
  // CV_8UC1: 255 where light alone has changed, and where something else has. The first is empty
  // where nothing has.
  cv::Mat other_light_;
  cv::Mat things_;
  cv::Mat difference_;  // written over
};

}  // namespace fos
