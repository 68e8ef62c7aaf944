import { SEAT_KIND, type SeatKind } from './price-rule.ts'

/** A seat on the map: a square of the grid. */
export interface PlacedSeat {
  /** Names the seat while the map is being drawn. */
  readonly key: string
  /** Absent until the map is saved. */
  readonly id?: number | undefined
  readonly area: string
  readonly row: number
  readonly no: number
  readonly kind: SeatKind
  readonly x: number
  readonly y: number
  /** 1 usable, 0 out of use. */
  readonly status: number
}

export type Layout = readonly PlacedSeat[]

/** Squares of the grid in each direction. */
export const GRID = { width: 60, height: 40 } as const
/** Seats of one room at most. */
export const MAX_SEATS = 500

let last = 0
const newKey = () => `new ${++last}`

/** What a seat is called: A区 2排5号. A booth has one number. */
export function seatLabel({ area, row, no, kind }: Pick<PlacedSeat, 'area' | 'row' | 'no' | 'kind'>): string {
  return kind === SEAT_KIND.booth ? `${area}区 包间${row}-${no}` : `${area}区 ${row}排${no}号`
}

const at = (x: number, y: number) => `${x},${y}`
const inside = ({ x, y }: { x: number; y: number }) => x >= 0 && y >= 0 && x < GRID.width && y < GRID.height

/** Seats that stand on another, or off the grid. */
export function misplaced(seats: Layout): Set<string> {
  const found = new Set(seats.filter((seat) => !inside(seat)).map((seat) => seat.key))
  for (const group of Map.groupBy(seats, ({ x, y }) => at(x, y)).values()) if (group.length > 1) for (const seat of group) found.add(seat.key)
  return found
}

/** Seats that share area, row and number with another. */
export function samelyNamed(seats: Layout): Set<string> {
  const found = new Set<string>()
  for (const group of Map.groupBy(seats, ({ area, row, no }) => `${area} ${row} ${no}`).values()) if (group.length > 1) for (const seat of group) found.add(seat.key)
  return found
}

/**
 * Moves seats together.
 * @returns the new map; the same one when one of them would leave the grid or stand on a seat that does not move
 */
export function moveSeats(seats: Layout, keys: ReadonlySet<string>, dx: number, dy: number): Layout {
  if (dx === 0 && dy === 0) return seats
  const taken = new Set(seats.filter((seat) => !keys.has(seat.key)).map(({ x, y }) => at(x, y)))
  const moved = seats.map((seat) => (keys.has(seat.key) ? { ...seat, x: seat.x + dx, y: seat.y + dy } : seat))
  return moved.every((seat) => !keys.has(seat.key) || (inside(seat) && !taken.has(at(seat.x, seat.y)))) ? moved : seats
}

/** Number of the row after the last one of an area. */
export function nextRow(seats: Layout, area: string): number {
  return Math.max(0, ...seats.filter((seat) => seat.area === area).map((seat) => seat.row)) + 1
}

/** First line of the grid, from `from` on, in which these columns are free. */
function freeLine(seats: Layout, columns: readonly number[], from: number): number | undefined {
  const taken = new Set(seats.map(({ x, y }) => at(x, y)))
  for (let y = Math.max(0, from); y < GRID.height; y++) if (columns.every((x) => !taken.has(at(x, y)))) return y
  return undefined
}

/**
 * Adds a row of seats to an area, below what it has.
 * @returns the new map; the same one when there is no room for it
 */
export function addRow(seats: Layout, area: string, count: number, kind: SeatKind): Layout {
  const own = seats.filter((seat) => seat.area === area)
  const left = own.length > 0 ? Math.min(...own.map(({ x }) => x)) : 1
  const columns = Array.from({ length: count }, (_unused, index) => left + index)
  const y = freeLine(seats, columns, own.length > 0 ? Math.max(...own.map((seat) => seat.y)) + 1 : 1)
  if (y === undefined || left + count > GRID.width || seats.length + count > MAX_SEATS) return seats
  const row = nextRow(seats, area)
  return [...seats, ...columns.map((x, index) => ({ key: newKey(), area, row, no: index + 1, kind, x, y, status: 1 }))]
}

/**
 * Repeats rows of which a seat is selected, below them and under the next numbers of their areas.
 * @returns the new map and the keys of what was added; nothing when there is no room for it
 */
export function copyRows(seats: Layout, keys: ReadonlySet<string>): { seats: Layout; added: ReadonlySet<string> } {
  const rows = Map.groupBy(seats, ({ area, row }) => `${area} ${row}`)
  let result = seats
  const added = new Set<string>()
  for (const row of rows.values()) {
    const [first] = row
    if (!first || !row.some((seat) => keys.has(seat.key))) continue
    const height = Math.max(...row.map(({ y }) => y)) - Math.min(...row.map(({ y }) => y))
    let down: number | undefined
    for (let by = height + 1; by < GRID.height && down === undefined; by++) {
      const there = new Set(result.map(({ x, y }) => at(x, y)))
      if (row.every(({ x, y }) => y + by < GRID.height && !there.has(at(x, y + by)))) down = by
    }
    if (down === undefined || result.length + row.length > MAX_SEATS) continue
    const by = down
    const number = nextRow(result, first.area)
    const copies = row.map((seat) => ({ ...seat, key: newKey(), id: undefined, row: number, y: seat.y + by, status: 1 }))
    for (const seat of copies) added.add(seat.key)
    result = [...result, ...copies]
  }
  return { seats: result, added }
}

/** Counts rows from the top and seats from the left, area by area; seats that stand in one line of the grid are one row. */
export function renumber(seats: Layout, areas: ReadonlySet<string>): Layout {
  const numbers = new Map<string, { row: number; no: number }>()
  for (const [area, own] of Map.groupBy(seats, (seat) => seat.area)) {
    if (!areas.has(area)) continue
    const lines = [...Map.groupBy(own, (seat) => seat.y)].sort(([a], [b]) => a - b)
    for (const [index, [, line]] of lines.entries()) {
      for (const [place, seat] of line.toSorted((a, b) => a.x - b.x).entries()) numbers.set(seat.key, { row: index + 1, no: place + 1 })
    }
  }
  return seats.map((seat) => ({ ...seat, ...numbers.get(seat.key) }))
}

/** The seat that lies next in a direction: what stands straight ahead counts more than what is near. */
export function neighbour(seats: Layout, from: PlacedSeat, dx: number, dy: number): PlacedSeat | undefined {
  const ahead = seats.map((seat) => {
    const [along, aside] = dx === 0 ? [(seat.y - from.y) * dy, Math.abs(seat.x - from.x)] : [(seat.x - from.x) * dx, Math.abs(seat.y - from.y)]
    return { seat, along, distance: along + aside * 3 }
  }).filter(({ along }) => along > 0)
  return ahead.toSorted((a, b) => a.distance - b.distance)[0]?.seat
}

/** What is wrong with a map, as one sentence; undefined when it can be saved. */
export function layoutProblem(seats: Layout): string | undefined {
  if (seats.length > MAX_SEATS) return `每间自习室最多 ${MAX_SEATS} 个座位`
  const same = samelyNamed(seats)
  const [one] = seats.filter((seat) => same.has(seat.key))
  if (one) return `「${seatLabel(one)}」有重复，请修改编号`
  const wrong = misplaced(seats)
  const [two] = seats.filter((seat) => wrong.has(seat.key))
  return two && (inside(two) ? `「${seatLabel(two)}」与其他座位重叠` : `「${seatLabel(two)}」超出了座位图`)
}
