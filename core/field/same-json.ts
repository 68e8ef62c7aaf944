const inOrder = (_key: string, value: unknown): unknown => (typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value)
const textOf = (value: unknown) => JSON.stringify(value ?? null, inOrder)

/** Whether two values of JSON say the same, in whichever order their keys stand: the database keeps none. */
export const isSameJson = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b)
