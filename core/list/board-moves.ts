import { choiceLabel, choicesOf } from '../field/choice.ts'
import type { Resource, Transition } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { fieldOf } from '../resource/meta-fields.ts'

/** What putting a card into another column comes to: transitions, one of which is chosen, or a sentence why not. */
export type Move = { readonly edges: readonly Transition[] } | { readonly why: string }

/** How a record gets from its state to another, as far as this person may. */
export function moveTo(resource: Resource, key: string, row: WireRow, to: string | number): Move {
  const from = row[key] as string | number
  const words = (value: string | number) => `「${choiceLabel(choicesOf(fieldOf(resource, key)) ?? [], value)}」`
  const known = resource.transitions.filter((edge) => edge.field === key && edge.from.includes(from))
  const edges = known.filter((edge) => edge.to === to)
  const [one] = edges
  if (!one) {
    const ways = [...new Set(known.filter(({ name }) => row.can.includes(name)).map((edge) => `${edge.label}到${words(edge.to)}`))]
    return { why: `${words(from)}不能变成${words(to)}${ways.length > 0 ? `，现在可以${ways.join('、')}` : ''}` }
  }
  const open = edges.filter(({ name }) => row.can.includes(name) && row.cannot?.[name] === undefined)
  return open.length > 0 ? { edges: open } : { why: row.cannot?.[one.name] ?? `您没有「${one.label}」的权限` }
}
