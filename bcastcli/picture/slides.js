const slides = [...document.querySelectorAll('section')];
let at = Math.min(slides.length, Math.max(1, Number(location.hash.slice(1)) || 1)) - 1;
for (const slide of slides) slide.tabIndex = -1;
const show = to => {
  at = Math.min(slides.length - 1, Math.max(0, to));
  slides.forEach((slide, number) => slide.classList.toggle('shown', number === at));
  history.replaceState(null, '', '#' + (at + 1));
  slides[at].focus({preventScroll: true}); // from there Tab goes to the slide's own cells
  point(null);
};
const steps = {ArrowRight: 1, ArrowDown: 1, PageDown: 1, ' ': 1, Enter: 1,
  ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Backspace: -1};
addEventListener('keydown', event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key in steps) show(at + steps[event.key]);
  else if (event.key === 'Home') show(0);
  else if (event.key === 'End') show(slides.length - 1);
  else return;
  event.preventDefault();
});
addEventListener('click', event => show(at + (event.clientX < innerWidth / 4 ? -1 : 1)));
show(at);
