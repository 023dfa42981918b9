// A road through a town for the TouringMachines of the paper's Figure 4: three lanes, roadworks
// that are on the map, and others who move and are not. How one reacts, what one believes of
// others, what is to be done and how it is done are functions of what is seen; nothing here talks
// to anybody.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touring {

inline constexpr int lanes = 3;
// The most that the car drives in one cycle.
inline constexpr int most_speed = 2;

struct Cell {
  int along = 0;
  int lane = 0;
  bool operator==(const Cell&) const = default;
};

// Somebody else, now and one cycle ago; `is_new` when there was nothing to see then.
struct Seen {
  std::string what;
  Cell where;
  Cell before;
  bool is_new = true;
};

// What is believed of somebody else: where it was seen, and how it goes on from there.
struct Model {
  std::string what;
  Cell where;
  int cycle = 0;
  Cell speed;

  Cell at(int when) const noexcept {
    const int cycles = when - cycle;
    return {where.along + speed.along * cycles, where.lane + speed.lane * cycles};
  }
};

// A place where something is to be delivered: the car stands there for a cycle.
struct Errand {
  std::string where;
  Cell stop;
};

// What is known in one cycle.
struct Scene {
  static constexpr std::string_view content_type = "touring/scene/v1";
  int cycle = 0;
  Cell car;
  int speed = 0;                 // with which it came here
  std::vector<std::string> map;  // of each lane; # is closed
  std::vector<Errand> errands;   // those that are left
  std::vector<Seen> seen;
  std::vector<Model> models;

  // Whether nobody can be there.
  bool is_closed(Cell cell) const noexcept;
};

// What the car does in one cycle: it changes lanes, then drives so far. And why; and what is
// believed from now on.
struct Command {
  static constexpr std::string_view content_type = "touring/command/v1";
  int speed = 0;
  int turn = 0;
  std::string why;
  std::vector<Model> models;
};

// A scene, and what is to be done in it.
struct Focused {
  static constexpr std::string_view content_type = "touring/focused/v1";
  Scene scene;
  Errand errand;
};

// Which layer has control. Somebody who is not where he was believed to be wants a model, and
// first a reaction if he is near and the car moves; where there is no surprise, there is a plan.
enum class Layer { reactive, modeling, planning };
Layer choose(const Scene& scene);

// What the layers do; planning in two steps.
Command react(const Scene& scene);
Command model(const Scene& scene);
Focused focus(const Scene& scene);
Command plan(const Focused& focused);

// The road itself. Others move as they are told, whatever the car does.
class Road {
 public:
  // From cycle `from` on it moves by `speed` in each cycle; until then it is not there.
  struct Leg {
    int from = 0;
    Cell speed;
  };
  struct Other {
    std::string what;
    Cell start;
    std::vector<Leg> legs;
    int visible = 8;  // from how far along
  };

  Road(std::vector<std::string> map, std::vector<Errand> errands, std::vector<Other> others);

  // What the driver sees.
  const Scene& scene() const noexcept { return scene_; }
  // The next cycle, after the car has done that. Says what it has run into; nothing, if all is
  // well.
  std::string drive(const Command& command);
  // Whether it has left the town, all errands done.
  bool is_done() const noexcept;
  // The map with a mark wherever the car was at the beginning of a cycle.
  std::vector<std::string> picture(std::string_view marks) const;

 private:
  void look();

  std::vector<Other> others_;
  std::vector<Cell> places_;  // of the others
  std::vector<Cell> way_;
  Scene scene_;
};

// The town of the example: two shops, roadworks, a cart, and a dog behind the hedge.
Road town();

}  // namespace touring
