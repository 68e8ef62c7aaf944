import { number, type NumberField } from '../field/number.ts'
import { reference, treeReference, type ReferenceExtra, type ReferenceField, type Target } from '../field/reference.ts'
import { text, type TextField } from '../field/text.ts'

/** Longest path: more than nine ids of twenty digits. */
const PATH = 200
/** Longest key of a place; `place.server.ts` spreads siblings again before one gets there. */
const ORD = 200

/** Text that is compared byte by byte: a prefix is a range, and keys of places have one order everywhere. */
const ordered = (label: string, options: { max: number; initial: string; audit?: false }): TextField<false> => ({
  ...text(label, { readonly: true, ...options }), column: 'ordered_text', filter: null, sortable: false,
})

/** Fields of a record that stands in a tree. */
export interface TreeFields {
  readonly parent_id: ReferenceField<false>
  /** Ids from the top to the parent: `/18/25/`; at the top `/`. */
  readonly path: TextField<false>
  /** Nodes above it. */
  readonly depth: NumberField<false>
  /** Place among its siblings: a fractional key, so that a move writes one row. Equal keys stand by id. */
  readonly ord: TextField<false>
}

/**
 * The fields by which records hang below one another. The server keeps path, depth and place; see `tree` in the definition.
 * @param label what the parent is called
 * @param self the resource itself
 * @param parent `within` names what all nodes of one tree share; `createOnly` leaves moving to the tree's own call
 * @example fields: { ...treeFields('上级标签', (): Target => materialTag), name: text('名称', { required: true }) }
 */
export function treeFields(label: string, self: () => Target, parent: Pick<ReferenceExtra, 'within'> & { createOnly?: true } = {}): TreeFields {
  return {
    parent_id: treeReference(label, self, parent),
    // What they say the log tells by the parent, once for a branch that moves.
    path: ordered('路径', { max: PATH, initial: '/', audit: false }),
    depth: number('层级', { readonly: true, initial: 0, max: 99, audit: false }),
    ord: ordered('顺序', { max: ORD, initial: 'a0' }),
  }
}

/** The node that took this one's place, whose id goes on meaning that one. */
export const mergedInto = (self: () => Target): ReferenceField<false> => reference('已合并到', self, { readonly: true, onRemove: 'keep' })
