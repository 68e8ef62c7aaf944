import { batchPresentation } from '../code/door.tsx'
import { bookCodeFamily } from './book-code.ts'

/** Batches of codes: what every family has, by book and print. */
export default batchPresentation(bookCodeFamily)
