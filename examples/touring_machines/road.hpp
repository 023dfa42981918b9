// A road through a town for the TouringMachines of the paper's Figure 4: three lanes, roadworks
// that are on the map, and others who move and are not on the map. Reactions, beliefs about others,
// the choice of a goal and the plan for it are functions of what the car observes; nothing here
// exchanges messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touring {

inline constexpr int lanes = 3;
// The largest speed of the car, in cells per cycle.
inline constexpr int most_speed = 2;

struct Cell {
  int along = 0;
  int lane = 0;
  bool operator==(const Cell&) const = default;
};

// Another road user, now and one cycle ago; `is_new` when it was not visible then.
struct Seen {
  std::string what;
  Cell where;
  Cell before;
  bool is_new = true;
};

// The belief about another road user: where it was seen, and how it continues from there.
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

// A place of a delivery: the car must stand there for a cycle.
struct Errand {
  std::string where;
  Cell stop;
};

// The car's knowledge in one cycle.
struct Scene {
  static constexpr std::string_view content_type = "touring/scene/v1";
  int cycle = 0;
  Cell car;
  int speed = 0;                 // the speed with which the car came here
  std::vector<std::string> map;  // of each lane; # is closed
  std::vector<Errand> errands;   // the errands that are left
  std::vector<Seen> seen;
  std::vector<Model> models;

  // Returns whether the cell is closed to all.
  bool is_closed(Cell cell) const noexcept;
};

// The car's action in one cycle: it changes lanes, then drives that far. Also the reason, and the
// new beliefs.
struct Command {
  static constexpr std::string_view content_type = "touring/command/v1";
  int speed = 0;
  int turn = 0;
  std::string why;
  std::vector<Model> models;
};

// A scene, and the goal in it.
struct Focused {
  static constexpr std::string_view content_type = "touring/focused/v1";
  Scene scene;
  Errand errand;
};

// The layer that has control. A road user who is not where the car believed it to be needs a model,
// and first a reaction if it is near and the car moves. Without a surprise, the planning layer has
// control.
enum class Layer { reactive, modeling, planning };
Layer choose(const Scene& scene);

// The functions of the layers; planning has two steps.
Command react(const Scene& scene);
Command model(const Scene& scene);
Focused focus(const Scene& scene);
Command plan(const Focused& focused);

// The road itself. The others move along their legs, whatever the car does.
class Road {
 public:
  // From cycle `from` on, a road user moves by `speed` in each cycle; before that it is not there.
  struct Leg {
    int from = 0;
    Cell speed;
  };
  struct Other {
    std::string what;
    Cell start;
    std::vector<Leg> legs;
    int visible = 8;  // the distance from which it is visible
  };

  Road(std::vector<std::string> map, std::vector<Errand> errands, std::vector<Other> others);

  // The observations of the driver.
  const Scene& scene() const noexcept { return scene_; }
  // Carries out a command and begins the next cycle. Returns a description of a collision; empty if
  // there was none.
  std::string drive(const Command& command);
  // Returns whether the car has left the town, with all errands done.
  bool is_done() const noexcept;
  // The map with a mark at each position that the car had at the beginning of a cycle.
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
