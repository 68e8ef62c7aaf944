import * as z from 'zod/mini'
import type { BlockTarget } from '../../outline/module.ts'
import { ITEM_KINDS } from '../items.ts'

/** What is dragged from a list of content: it may come from another window of the browser. */
const CONTENT_TYPE = 'application/x-content+json'
/** The key of an item that is dragged within its combination. */
const ITEM_TYPE = 'application/x-combination-item'

const targetSchema = z.object({
  kind: z.enum(ITEM_KINDS), id: z.int(), name: z.string(), note: z.string(), minutes: z.number(), health: z.object({ tone: z.enum(['ok', 'wait', 'bad']), words: z.string() }),
  version_no: z.nullable(z.int()), cover: z.nullable(z.string()), path: z.nullable(z.string()),
})

export const dragContent = (data: DataTransfer, target: BlockTarget): void => {
  data.setData(CONTENT_TYPE, JSON.stringify(target))
  data.setData('text/plain', target.name)
  data.effectAllowed = 'copy'
}
export const dragItem = (data: DataTransfer, key: string): void => {
  data.setData(ITEM_TYPE, key)
  data.effectAllowed = 'move'
}
/** Whether something that is being dragged could be put into a combination. */
export const holdsContent = ({ types }: DataTransfer): boolean => types.includes(CONTENT_TYPE) || types.includes(ITEM_TYPE)

/** What was dropped; undefined where it is something else. */
export function readDropped(data: DataTransfer): { item: string } | { target: z.infer<typeof targetSchema> } | undefined {
  const item = data.getData(ITEM_TYPE)
  if (item !== '') return { item }
  try {
    const target = z.safeParse(targetSchema, JSON.parse(data.getData(CONTENT_TYPE))).data
    return target && { target }
  } catch {
    return undefined
  }
}
