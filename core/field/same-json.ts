import { hashKey } from '@tanstack/react-query'

/** Whether two values of JSON say the same, in whichever order their keys stand: the database keeps none. */
export const isSameJson = (a: unknown, b: unknown): boolean => hashKey([a ?? null]) === hashKey([b ?? null])
