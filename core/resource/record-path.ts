import type { Resource } from './define.ts'

/** Path of the page of one record: which screen it belongs to, which kind of that screen's records, and its id. */
export const RECORD_PATH = '/record/:screen/:resource/:id'

/** Where one record stands by itself. @example recordPath(partner, 12) // /record/1301/partner/12 */
export const recordPath = ({ grant, name }: Pick<Resource, 'grant' | 'name'>, id: number): string => `/record/${grant}/${name}/${id}`
