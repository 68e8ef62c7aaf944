import { Button, Input, InputNumber } from 'antd'
import { formatMoney } from '../../core/field/number.ts'
import { GoodPicker, usePrices } from './good-input.tsx'
import { goodKey, shareOut, type Suite, type SuiteGood } from './good.ts'
import { spread } from '../order/module.ts'
import './promotion.css'

/** A package that is being written: what is not chosen yet is missing. */
type Draft = Partial<Omit<Suite, 'goods'>> & { goods: (Partial<SuiteGood> & { qty: number })[] }

const yuan = (fen: number | null | undefined) => (fen == null ? null : fen / 100)
const fen = (value: number | null) => (value === null ? null : Math.round(value * 100))
const isChosen = (good: Draft['goods'][number]): good is SuiteGood => good.line !== undefined && good.kind !== undefined && good.name !== undefined

/** One package: its goods with what each gets of the price, beside what they cost one by one. */
function SuiteCard({ draft, place, change, remove }: { draft: Draft; place: number; change: (draft: Draft) => void; remove: (() => void) | undefined }) {
  const chosen = draft.goods.filter(isChosen)
  const prices = usePrices(chosen)
  const listOf = (good: Draft['goods'][number]) => (isChosen(good) ? (prices.get(goodKey(good))?.price ?? 0) * good.qty : 0)
  const list = draft.goods.reduce((sum, good) => sum + listOf(good), 0)
  const floor = chosen.reduce((sum, good) => sum + (prices.get(goodKey(good))?.floor ?? 0) * good.qty, 0)
  const shared = draft.price && chosen.length === draft.goods.length ? shareOut({ price: draft.price, goods: chosen }, chosen.map(listOf), spread) : undefined
  const set = (index: number, good: Partial<SuiteGood>) => change({ ...draft, goods: draft.goods.map((one, at) => (at === index ? { ...one, ...good } : one)) })
  const name = `套餐 ${place + 1}`
  return (
    <fieldset className="suite-card">
      <legend>{name}</legend>
      <div className="suite-head">
        <Input aria-label={`${name}名称`} placeholder="套餐名称" maxLength={40} value={draft.name ?? ''} onChange={(event) => change({ ...draft, name: event.target.value })} />
        <InputNumber aria-label={`${name}价格`} placeholder="套餐价" prefix="¥" min={0.01} precision={2} value={yuan(draft.price)} onChange={(value) => { const price = fen(value); change({ ...draft, ...(price === null ? { price: undefined } : { price }) }) }} />
      </div>
      {draft.goods.map((good, index) => (
        <div className="suite-good" key={index}>
          <GoodPicker label={`${name}商品 ${index + 1}`} value={isChosen(good) ? good : null} onChange={(next) => set(index, next ? { ...next, share: null } : { line: undefined, kind: undefined, name: undefined })} />
          <InputNumber aria-label={`${name}商品 ${index + 1} 数量`} prefix="×" min={1} max={999} precision={0} value={good.qty} onChange={(value) => set(index, { qty: value ?? 1 })} />
          <InputNumber aria-label={`${name}商品 ${index + 1} 分摊`} placeholder={shared?.[index] ? `分摊 ${(shared[index].share / 100).toFixed(2)}` : '分摊'} min={0.01} precision={2} value={yuan(good.share)} onChange={(value) => set(index, { share: fen(value) })} />
          <Button type="text" disabled={draft.goods.length === 1} aria-label={`移除${name}商品 ${index + 1}`} onClick={() => change({ ...draft, goods: draft.goods.filter((_one, at) => at !== index) })}>移除</Button>
        </div>
      ))}
      <div className="suite-head">
        <Button size="small" disabled={draft.goods.length >= 20} onClick={() => change({ ...draft, goods: [...draft.goods, { qty: 1 }] })}>加商品</Button>
        <InputNumber aria-label={`${name}限量`} placeholder="限量，不填不限" min={1} precision={0} value={draft.stock ?? null} onChange={(stock) => change({ ...draft, stock })} />
        <Input aria-label={`${name}赠品`} placeholder="赠品" maxLength={60} value={draft.gift ?? ''} onChange={(event) => change({ ...draft, gift: event.target.value || null })} />
        {remove && <Button size="small" danger type="text" onClick={remove}>删除套餐</Button>}
      </div>
      {list > 0 && (
        <p className={draft.price !== undefined && (draft.price > list || draft.price < floor) ? 'suite-sum bad' : 'suite-sum'}>
          单买 {formatMoney(list)}{floor > 0 && `，底价合计 ${formatMoney(floor)}`}{draft.price !== undefined && (draft.price > list ? '，套餐价高于单买价' : draft.price < floor ? '，套餐价低于底价' : `，省 ${formatMoney(list - draft.price)}`)}。分摊不填则按单价算。
        </p>
      )}
    </fieldset>
  )
}

/** The packages of a link, in its form. */
export function SuitesInput({ value, onChange }: { value?: readonly Suite[] | null; onChange?: (suites: Suite[]) => void }) {
  const drafts: readonly Draft[] = value && value.length > 0 ? value : [{ goods: [{ qty: 1 }] }]
  // What is half written is sent all the same: the server says what it lacks, in the words of the field.
  const change = (next: readonly Draft[]) => onChange?.(next as Suite[])
  return (
    <div className="suites">
      {drafts.map((draft, place) => (
        <SuiteCard key={place} draft={draft} place={place} change={(next) => change(drafts.map((one, at) => (at === place ? next : one)))} remove={drafts.length > 1 ? () => change(drafts.filter((_one, at) => at !== place)) : undefined} />
      ))}
      <Button disabled={drafts.length >= 20} onClick={() => change([...drafts, { goods: [{ qty: 1 }] }])}>加套餐</Button>
    </div>
  )
}
