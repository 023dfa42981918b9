#include "top/screen.hpp"

#include "coracle/errors.hpp"

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

// The last, as it defines macros with common names.
#define NCURSES_NOMACROS 1
#include <curses.h>

namespace coracle::command {

namespace {

// The terminal, which is given back as it was.
class Terminal {
 public:
  Terminal() {
    std::setlocale(LC_ALL, "");
    screen_.reset(::newterm(nullptr, stdout, stdin));
    if (!screen_) {
      const char* const type = std::getenv("TERM");
      throw Error(Errc::unsupported, "the terminal '" + std::string(type == nullptr ? "" : type) +
                                         "' is not known; set TERM, or give --once");
    }
    ::cbreak();
    ::noecho();
    ::keypad(stdscr, TRUE);
    ::curs_set(0);
    ::wtimeout(stdscr, 100);
  }
  Terminal(const Terminal&) = delete;
  ~Terminal() { ::endwin(); }

  void draw(const std::vector<std::string>& lines) {
    ::werase(stdscr);
    int y = 0;
    for (const std::string& line : lines) {
      if (y == 1) ::wattr_on(stdscr, A_REVERSE, nullptr);
      ::mvwaddnstr(stdscr, y, 0, line.c_str(), static_cast<int>(line.size()));
      if (y == 1) ::wattr_off(stdscr, A_REVERSE, nullptr);
      ++y;
    }
    ::wrefresh(stdscr);
  }

 private:
  struct Delete {
    void operator()(SCREEN* screen) const noexcept { ::delscreen(screen); }
  };
  std::unique_ptr<SCREEN, Delete> screen_;
};

int key_of(int key) noexcept {
  switch (key) {
    case KEY_UP:
      return Top::up;
    case KEY_DOWN:
      return Top::down;
    case KEY_PPAGE:
      return Top::page_up;
    case KEY_NPAGE:
      return Top::page_down;
    case KEY_HOME:
      return Top::home;
    default:
      return key;
  }
}

}  // namespace

void show_top(Top& top, const std::function<std::optional<std::vector<Measured>>()>& next,
              const std::function<bool()>& is_over) {
  Terminal terminal;
  while (!is_over()) {
    if (auto all = next()) top.take(std::move(*all));
    terminal.draw(top.lines(static_cast<std::size_t>(COLS), static_cast<std::size_t>(LINES)));
    const int key = ::wgetch(stdscr);
    if (key != ERR && !top.obey(key_of(key))) return;
  }
}

}  // namespace coracle::command
