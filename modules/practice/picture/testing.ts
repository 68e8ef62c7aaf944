/** A picture of black lines on white, as SVG. */
export const drawing = (body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="100%" height="100%" fill="white"/><g fill="none" stroke="black" stroke-width="2">${body}</g></svg>`

const arrows = '<path d="M10 140H290M60 190V10"/>'

/** Drawings as questions have them; those of one kind are near each other, and some are symmetrical. */
export const DRAWINGS: Readonly<Record<string, string>> = {
  'triangle': '<path d="M40 170L260 150L110 30Z"/>',
  'triangle with a height': '<path d="M40 160H260L200 30ZM200 30V160"/>',
  'parabola': `${arrows}<path d="M70 20Q150 260 230 20"/>`,
  'line': `${arrows}<path d="M20 180L220 20"/>`,
  'sine': `${arrows}<path d="M60 140C90 20 120 20 150 140S210 260 270 140"/>`,
  'bars': '<path d="M30 20V180H280M50 180V90H90V180M110 180V40H150V180M170 180V130H210V180M230 180V70H270V180"/>',
  'other bars': '<path d="M30 20V180H280M50 180V140H90V180M110 180V100H150V180M170 180V40H210V180M230 180V150H270V180"/>',
  'circuit': '<path d="M40 40H260V160H40ZM120 30H180V50H120Z"/><circle cx="260" cy="100" r="15" fill="white"/>',
  'circuit of two ways': '<path d="M40 40H260V160H40ZM150 40V160M140 80H160V120H140Z"/><circle cx="90" cy="160" r="15" fill="white"/>',
  'cube': '<path d="M60 70H180V180H60ZM60 70L100 30H220L180 70M220 30V140L180 180"/>',
  'slope': '<path d="M30 170H270V50Z"/><circle cx="150" cy="92" r="15"/>',
  'circle': '<circle cx="150" cy="100" r="80"/>',
  'ring': '<circle cx="150" cy="100" r="80"/><circle cx="150" cy="100" r="45"/>',
  'square': '<path d="M80 30H220V170H80Z"/>',
  'rhombus': '<path d="M150 15L270 100L150 185L30 100Z"/>',
  'star': '<path d="M150 15L170 75H235L182 112L202 175L150 137L98 175L118 112L65 75H130Z"/>',
  'heart': '<path d="M150 180C40 110 80 30 150 75C220 30 260 110 150 180Z"/>',
}
