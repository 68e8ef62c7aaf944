import type { Cell } from './cell.ts'
import type { CellRange } from './cell-reference.ts'

interface Active {
  range: CellRange
  value: Cell
}

/**
 * Spreads the value of each merged range over the cells that the range covers, row after row.
 * Holds only the ranges that reach the current row, besides the list itself.
 */
export class MergedCells {
  readonly #ranges: readonly CellRange[]
  #next = 0
  #active: Active[] = []

  /** @param ranges in any order */
  constructor(ranges: readonly CellRange[]) {
    this.#ranges = ranges.toSorted((one, other) => one.top - other.top)
  }

  /**
   * Puts the merged values into a row.
   * @param rowNumber must not go down from call to call
   * @param cells changed in place, lengthened with nulls where needed
   */
  fill(rowNumber: number, cells: Cell[]): void {
    if (this.#active.length > 0) this.#active = this.#active.filter(({ range }) => range.bottom >= rowNumber)
    for (let range = this.#ranges[this.#next]; range && range.top <= rowNumber; range = this.#ranges[this.#next]) {
      this.#next++
      // A range whose first row was blank has no value to spread.
      if (range.bottom >= rowNumber && range.top === rowNumber) this.#active.push({ range, value: cells[range.left] ?? null })
    }
    for (const { range, value } of this.#active) {
      if (value === null) continue
      while (cells.length <= range.right) cells.push(null)
      cells.fill(value, range.left, range.right + 1)
    }
  }
}
