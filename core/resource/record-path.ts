import type { Resource } from './define.ts'

/** Path of the page of one record: which screen it belongs to, which kind of that screen's records, and its id. */
export const RECORD_PATH = '/record/:screen/:resource/:id'

/** Leads on to a screen that is known by its id alone, with what the list is narrowed by. */
export const SCREEN_PATH = '/record/:screen'

/** Where one record stands by itself. @example recordPath(partner, 12) // /record/1301/partner/12 */
export const recordPath = ({ grant, name }: Pick<Resource, 'grant' | 'name'>, id: number): string => `/record/${grant}/${name}/${id}`

/** The list of a screen, narrowed. @example screenPath(1307, { school_id: 3 }) // /record/1307?school_id=3 */
export const screenPath = (screen: number, filters: Readonly<Record<string, string | number>>): string =>
  `/record/${screen}?${new URLSearchParams(Object.entries(filters).map(([key, value]) => [key, String(value)]))}`
