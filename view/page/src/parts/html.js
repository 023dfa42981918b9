// The one place where components get their library from.
import { Component, h } from "preact";
import htm from "htm";

export const html = htm.bind(h);
export { render } from "preact";
export {
  useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState,
} from "preact/hooks";

// Shows a sentence in place of what could not be drawn, such as a program's panel with odd data.
export class Boundary extends Component {
  componentDidCatch(error) {
    this.setState({ error });
  }

  render({ children, what }, { error }) {
    if (!error) return children;
    return h("p", { class: "whynot wide" }, `${what} cannot be drawn: ${error.message}`);
  }
}
