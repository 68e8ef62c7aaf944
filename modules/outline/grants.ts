/**
 * Ids that a call asks for when it may concern an outline of any owner; the handler then looks at the outline's own. The
 * calls hold these lists themselves, so that a kind of owner of another module opens them too.
 */
const viewers: number[] = []
const editors: number[] = []
const publishers: number[] = []

export const VIEW_GRANTS: readonly number[] = viewers
export const EDIT_GRANTS: readonly number[] = editors
export const PUBLISH_GRANTS: readonly number[] = publishers

/** Ids of what has to be held to look at an owner's outline, to edit it, and to publish it. */
export interface OwnerGrants {
  readonly view: number
  readonly edit: number
  readonly publish: number
}

const admit = (list: number[], id: number): void => {
  if (!list.includes(id)) list.push(id)
}

/** Lets those who hold an owner's ids make the calls of outlines. */
export function admitOwner({ view, edit, publish }: OwnerGrants): void {
  admit(viewers, view)
  admit(editors, edit)
  admit(publishers, publish)
}
