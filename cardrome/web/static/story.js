// The page of a game that has no drawing of its own: its story, line by line.
function draw(frame, number) {
  return make("pre", "story", ...frames.slice(0, number + 1).map((each) => `${each.line}\n`));
}
function fillLog() {}
function fillEnds() {}

start();
