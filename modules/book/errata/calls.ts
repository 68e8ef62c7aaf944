import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { book } from '../book.ts'

/** A line of a table of errata. */
export interface SheetLine {
  id: number
  page_no: number
  print_from: number
  print_to: number | null
  wrong: string
  right: string
  level: number
  state: number
}

/** The errata of a book that were confirmed, with the prints that it had. */
export interface ErrataSheet {
  name: string
  isbn: string
  edition: string | null
  prints: { no: number; copies: number; at: number }[]
  lines: SheetLine[]
}

export const readErrata = defineEndpoint<ErrataSheet>()({ method: 'GET', path: `${book.api.item}/{id}/errata`, summary: '图书的勘误表', grant: [book.grant] })

/** Whether a print has a fault. */
export const inPrint = ({ print_from, print_to }: Pick<SheetLine, 'print_from' | 'print_to'>, no: number): boolean => print_from <= no && (print_to === null || no <= print_to)

/** Prints in words. */
export const printsText = (from: number, to: number | null): string => (to === null ? `第 ${from} 次印刷起` : from === to ? `第 ${from} 次印刷` : `第 ${from}–${to} 次印刷`)
