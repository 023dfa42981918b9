#include "coracle/view/viewer.hpp"

#include "server/viewer_state.hpp"

#include "coracle/errors.hpp"

#include <utility>

namespace coracle::view {

Viewer::Viewer(http::Loop& loop, ViewerOptions options, std::string why)
    : state_(std::make_unique<ViewerState>(loop, std::move(options), std::move(why))) {}

Viewer::Viewer(http::Loop& loop, Node& node, ViewerOptions options)
    : Viewer(loop, std::move(options), "the view begins") {
  state_->begin(node, {}, nullptr);
}

Viewer::Viewer(http::Loop& loop, Node& node, const formats::Story& story, ViewerOptions options)
    : Viewer(loop, std::move(options), "the view begins") {
  state_->begin(node, {}, &story);
}

Viewer::~Viewer() = default;

void Viewer::begin(Node& node, std::string no_agent) {
  state_->begin(node, std::move(no_agent), nullptr);
}

void Viewer::wait_for(std::string why) { state_->wait_for(std::move(why)); }

std::string Viewer::address() { return url() + "?token=" + state_->door().new_token(); }

std::string Viewer::url() const { return state_->url().text(); }

std::string Viewer::bearer() { return state_->door().new_bearer(); }

std::size_t Viewer::browsers() const noexcept { return state_->browsers(); }

void Viewer::add_panel(std::string name, PanelView view, std::function<std::string()> data) {
  if (view == PanelView::script)
    throw Error(Errc::bad_options,
                "the panel '" + name + "' needs a script; use add_script_panel()");
  state_->add_panel({std::move(name), {}, {}, view, std::move(data)});
}

void Viewer::add_script_panel(std::string name, std::string script,
                              std::function<std::string()> data) {
  state_->add_panel({std::move(name), {}, std::move(script), PanelView::script, std::move(data)});
}

}  // namespace coracle::view
