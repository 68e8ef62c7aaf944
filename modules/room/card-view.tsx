import { InputNumber } from 'antd'
import { useEffect } from 'react'
import { choiceLabel } from '../../core/field/choice.ts'
import { present, type InputProps, type PresentationOf } from '../../core/resource/present.tsx'
import { CARD_KIND, isCounted, sayAmount, type CardKind } from './card-kind.ts'
import { memberCard, selfMemberCard } from './card.ts'
import { SEAT_KINDS } from './price-rule.ts'

/** In which unit a kind's quota is typed, and how many of the stored unit that is. */
const TYPED: Readonly<Partial<Record<CardKind, { unit: string; scale: number; digits: number }>>> = {
  [CARD_KIND.minutes]: { unit: '小时', scale: 60, digits: 1 }, [CARD_KIND.visits]: { unit: '次', scale: 1, digits: 0 }, [CARD_KIND.value]: { unit: '元', scale: 100, digits: 2 },
}

/** 额度: hours, visits or yuan, as the kind has it; cards that are only bound to time have none. */
function QuotaInput({ value, onChange, values, id }: InputProps<number, { readonly kind?: CardKind | null }>) {
  const kind = values.kind ?? null
  const typed = kind === null ? undefined : TYPED[kind]
  const none = kind !== null && !isCounted(kind)
  useEffect(() => {
    if (none && value !== 0) onChange?.(0)
  }, [none, value, onChange])
  if (!typed) return <InputNumber id={id} className="wide" disabled placeholder={none ? '有效期内不限次数' : '请先选择卡种'} />
  return (
    <InputNumber<number> id={id} className="wide" min={0} precision={typed.digits} suffix={typed.unit} value={typeof value === 'number' ? value / typed.scale : null}
      onChange={(next) => onChange?.(next === null ? null : Math.round(next * typed.scale))} />
  )
}

/** Names of what a card is limited to; without any it is good for all. */
const saidAll = (names: readonly string[] | null) => <span>{names && names.length > 0 ? names.join('、') : '全部'}</span>

const view: PresentationOf<typeof memberCard> = {
  cells: {
    room_ids: ({ row }) => saidAll(row.room_names),
    seat_kinds: ({ value }) => saidAll(value && value.map((kind) => choiceLabel(SEAT_KINDS, kind))),
    quota: ({ value, row }) => <span className="figure">{sayAmount(row.kind, value)}</span>,
  },
  inputs: { quota: QuotaInput },
}

export const partnerCardView = present(memberCard)(view)
export const ownCardView = present(selfMemberCard)(view)
