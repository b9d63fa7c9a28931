"use strict";
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const last = game.frames.length - 1;
  const id = (name) => document.getElementById(name);
  const links = [...document.querySelectorAll("#moves a")];
  const list = (numbers, of) => numbers.map((at) => of[at]);
  let ply = -1;
  let timer = 0;

  function show(wanted) {
    const to = Math.max(0, Math.min(last, wanted));
    if (to === ply) return;
    ply = to;
    // What stands in `parts` was escaped when this page was written; no part holds a script, and none would run.
    id("pieces").innerHTML = list(game.frames[ply], game.parts).join("");
    id("caption").textContent = game.told[ply];
    id("words").textContent = list(game.words[ply], game.sentences).join(" ");
    id("slide").value = ply;
    id("slide").setAttribute("aria-valuetext", game.told[ply]);
    for (const link of links) link.removeAttribute("aria-current");
    const link = links[ply];
    link.setAttribute("aria-current", "step");
    const box = id("moves");
    const top = link.offsetTop - box.offsetTop;
    if (top < box.scrollTop || top + link.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = top - box.clientHeight / 2;
    }
    // A disabled button would lose the focus of whoever goes on by keyboard.
    for (const [name, dead] of [["first", ply === 0], ["back", ply === 0], ["next", ply === last], ["end", ply === last]]) {
      id(name).setAttribute("aria-disabled", String(dead));
    }
    if (ply === last) pause();
  }

  function go(wanted) {
    pause();
    show(wanted);
    try { history.replaceState(null, "", "#" + ply); } catch { /* a page opened from a file may not */ }
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    id("play").textContent = "Play";
    id("caption").setAttribute("aria-live", "polite");
  }

  function play() {
    if (timer) return pause();
    if (ply === last) show(0);
    id("play").textContent = "Pause";
    id("caption").setAttribute("aria-live", "off");
    timer = setInterval(() => show(ply + 1), Number(id("speed").value));
  }

  const moves = { first: () => go(0), back: () => go(ply - 1), next: () => go(ply + 1), end: () => go(last), play };
  for (const [name, act] of Object.entries(moves)) id(name).addEventListener("click", act);
  id("slide").addEventListener("input", (event) => go(Number(event.target.value)));
  id("speed").addEventListener("change", () => { if (timer) { pause(); play(); } });
  links.forEach((link, at) => link.addEventListener("click", (event) => { event.preventDefault(); go(at); }));
  addEventListener("hashchange", () => { if (/^#\d{1,6}$/.test(location.hash)) go(Number(location.hash.slice(1))); });

  const keys = { ArrowLeft: moves.back, ArrowRight: moves.next, Home: moves.first, End: moves.end };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    const act = event.key === " " && !event.target.closest("button, a, summary") ? play : keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });

  id("slide").max = last;
  for (const part of document.querySelectorAll("[data-script]")) part.hidden = false;
  const asked = /^#\d{1,6}$/.test(location.hash) ? Number(location.hash.slice(1)) : game.at;
  show(asked);
})();
