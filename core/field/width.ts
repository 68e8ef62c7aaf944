import type { AnyField, FieldKind } from './any-field.ts'

type FieldOf<Kind extends FieldKind> = Extract<AnyField, { kind: Kind }>

/** Room that the values of each kind take in a list, in pixels (docs/design.md); a kind without it does not compile. */
const WIDTHS: { readonly [Kind in FieldKind]: number | ((field: FieldOf<Kind>) => number) } = {
  text: ({ max }) => (max <= 20 ? 104 : max <= 40 ? 140 : 180),
  long_text: 200,
  rich_text: 220,
  number: 84,
  sort_order: 72,
  money: 116,
  choice: 100,
  multi_choice: 150,
  toggle: 88,
  date: 104,
  time: 104,
  time_range: 112,
  mobile: 116,
  person_name: 96,
  reference: 132,
  tree_reference: 140,
  reference_list: 150,
  region: 132,
  image: 64,
  images: 64,
  file: 84,
  video: 84,
  json: 96,
  group: 150,
  tags: 150,
  computed: ({ as }) => (as === 'time' ? 104 : as === 'text' ? 128 : 92),
  segment: 0,
}

/** A column's head, in pixels: what stands beside its letters, and how wide those are. */
const HEAD = { padding: 16, sorter: 16, letter: 7, character: 12 }

/** Width of a field's column in pixels: room for its values, and for its label. */
export function widthOf(field: AnyField): number {
  const width = WIDTHS[field.kind] as number | ((field: AnyField) => number)
  const label = [...field.label].reduce((sum, one) => sum + (one > '\u2e7f' ? HEAD.character : HEAD.letter), HEAD.padding + (field.sortable ? HEAD.sorter : 0))
  return Math.max(typeof width === 'function' ? width(field) : width, label)
}
