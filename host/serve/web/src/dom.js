// dom.js - building elements
// SPDX-License-Identifier: Apache-2.0

/** Element `tag` with properties (class, on..., data-..., aria-...) and children. */
export function element(tag, properties = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
        else if (value === true) made.setAttribute(name, "");
        else made.setAttribute(name, value);
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return made;
}

/** A drawing of the sprite that is part of the page. */
export function drawing(id, size = 40, label = null) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
    if (label) {
        svg.setAttribute("role", "img");
        svg.setAttribute("aria-label", label);
    } else svg.setAttribute("aria-hidden", "true");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `#${id}`);
    svg.append(use);
    return svg;
}

/** Sets text only where it differs, so that nothing is announced or laid out in vain. */
export function set_text(target, text) {
    if (target.textContent !== text) target.textContent = text;
}
