/** How questions of each kind are answered on paper, and the room that this takes. */

/** Questions whose answer is written out: they get room for it. */
export const WRITTEN: ReadonlySet<number> = new Set([4])
/** Objective questions, whose answer is a letter. */
export const CHOICE: ReadonlySet<number> = new Set([1, 2])
/** Height of the box of a written answer on the answer sheet, millimetres per point. */
export const BOX_PER_POINT = 6
/** The least and the greatest height of such a box, in millimetres. */
export const SMALLEST_BOX = 16
export const LARGEST_BOX = 200
