/** Where a tab stands in its bar, in pixels. */
export interface Box {
  readonly path: string
  readonly left: number
  readonly width: number
  /** Gives its place to no other. */
  readonly fixed: boolean
}

const middle = ({ left, width }: Box) => left + width / 2

/**
 * Place of the tab onto which another is drawn: the one whose middle is nearest, its own when that may not be moved.
 * @param by how far it is drawn, in pixels; negative to the left
 */
export function dropPlace(boxes: readonly Box[], path: string, by: number): number {
  const own = boxes.findIndex((box) => box.path === path)
  const drawn = boxes[own]
  if (!drawn) return -1
  const far = (place: number) => Math.abs(middle(boxes[place] ?? drawn) - middle(drawn) - by)
  return boxes.reduce((best, box, place) => (!box.fixed && far(place) < far(best) ? place : best), own)
}

/** How far a tab makes room while another is drawn along the bar, or follows the pointer itself, in pixels. */
export function shiftOf(boxes: readonly Box[], path: string, by: number, tab: string): number {
  if (tab === path) return by
  const own = boxes.findIndex((box) => box.path === path)
  const place = boxes.findIndex((box) => box.path === tab)
  const onto = dropPlace(boxes, path, by)
  const [drawn, next] = [boxes[own], boxes[own + 1] ?? boxes[own - 1]]
  if (!drawn || !next) return 0
  // What is drawn leaves room of its own width and of the gap beside it.
  const gap = own + 1 < boxes.length ? next.left - drawn.left - drawn.width : drawn.left - next.left - next.width
  if (place > own && place <= onto) return -(drawn.width + gap)
  return place < own && place >= onto ? drawn.width + gap : 0
}
