/** Which test files run on which database, where there are two. */
import { createHash } from 'node:crypto'

/** A test file with its text. */
export interface TestFile {
  /** From the root of the project, with slashes. */
  readonly path: string
  readonly text: string
}

/** One file in so many runs on the embedded database too: both databases speak one dialect, and what is built on it is tried in full on PostgreSQL. */
const SHARE = 10

/** What tries a database itself, or a crash of the process that holds it. */
const OWN = /^core\/database\/|^core\/transfer\/crash\.test\.ts$/

const opensDatabase = ({ text }: TestFile) => /openTest(App|Database)\(/.test(text)

/** Chosen by the name alone, so that it stays the same whatever is added. */
const isChosen = (path: string) => (createHash('sha256').update(path).digest()[0] ?? 0) % SHARE === 0

/**
 * Divides the tests between a PostgreSQL server and the embedded database.
 * @returns `postgres`: every file that opens a database; `embedded`: the files that open none, the embedded database's own and a tenth of the others
 */
export function divide(files: readonly TestFile[]): { postgres: string[]; embedded: string[] } {
  return {
    postgres: files.filter(opensDatabase).map(({ path }) => path),
    embedded: files.filter((file) => !opensDatabase(file) || OWN.test(file.path) || isChosen(file.path)).map(({ path }) => path),
  }
}
