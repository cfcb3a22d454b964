// Point at a cell of a result, tap it, or move to it by Tab: the elements that it comes from are
// lit, and a line names them. A screen reader has the same words as the name of the cell.
const line = document.body.appendChild(document.createElement('p'));
line.className = 'sources';
line.setAttribute('aria-hidden', 'true');
const cellAt = target => target && target.closest && target.closest('[data-from]');
let pointed = null;
const light = () => {
  const cell = pointed || cellAt(document.activeElement);
  for (const name of ['asked', 'lit'])
    for (const part of document.querySelectorAll('.' + name)) part.classList.remove(name);
  line.textContent = cell ? cell.getAttribute('aria-label') : '';
  if (!cell) return;
  cell.ownerSVGElement.classList.add('asked');
  for (const key of cell.dataset.from.split(' '))
    for (const part of cell.ownerSVGElement.querySelectorAll(`[data-at="${key}"]`))
      part.classList.add('lit');
};
const point = target => {
  pointed = cellAt(target);
  light();
};
addEventListener('pointerover', event => point(event.target));
document.documentElement.addEventListener('pointerleave', () => point(null));
addEventListener('focusin', light);
addEventListener('focusout', () => setTimeout(light));
addEventListener('click', event => {
  const cell = cellAt(event.target);
  if (!cell) return;
  cell.focus();
  event.stopImmediatePropagation(); // the slide stays
});
