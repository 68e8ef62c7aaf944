import { Form, Radio } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { request } from '../../core/endpoint/call.tsx'
import { FormField } from '../../core/record/form-field.tsx'
import type { FormLayoutProps } from '../../core/resource/present.tsx'
import { guessesPerHit } from './code-text.ts'
import type { CodeFamily } from './family.ts'
import { QuotaLine, useQuota } from './quota.tsx'

type Validity = 'months' | 'until'

/** Guesses as people say them: 68 万, 7 亿. */
function inWords(guesses: number): string {
  if (guesses >= 1e12) return `${Math.floor(guesses / 1e12).toLocaleString('zh-CN')} 万亿`
  if (guesses >= 1e8) return `${Math.floor(guesses / 1e8).toLocaleString('zh-CN')} 亿`
  return `${Math.floor(guesses / 1e4).toLocaleString('zh-CN')} 万`
}

/** Months that a product is made for, when its record says so. */
async function monthsOf(family: CodeFamily, id: number): Promise<number | undefined> {
  const path = family.product.months?.(id)
  // Only fills in what is usual; without it the person types the months.
  const row = path ? await request<Record<string, unknown>>('GET', path, {}, { quiet: true }).catch(() => undefined) : undefined
  return typeof row?.['months'] === 'number' ? row['months'] : undefined
}

/** A new batch with its codes: what may still be issued is shown while the number is typed. */
function NewBatch({ family, values, set }: FormLayoutProps & { family: CodeFamily }) {
  const { batch, owner, product } = family
  const [picked, setPicked] = useState<Validity>()
  // A draft that is taken up again says it by itself.
  const validity = picked ?? (values['valid_until'] == null ? 'months' : 'until')
  const quota = useQuota(family, values[owner.key])
  const count = Number(values['count'] ?? 0)
  const chosen = values[product.key]
  /** Months that were filled in: what somebody typed stays. */
  const filled = useRef<unknown>(null)
  useEffect(() => {
    if (typeof chosen !== 'number' || validity !== 'months' || (values['valid_months'] ?? null) !== filled.current) return
    let over = false
    void monthsOf(family, chosen).then((months) => {
      if (over || months === undefined) return
      filled.current = months
      set({ valid_months: months })
    })
    return () => { over = true }
    // Another product means other months; nothing else does.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [chosen])
  const put = (names: readonly string[]) => names.map((name) => <FormField key={name} name={name} />)
  return (
    <>
      <fieldset className="form-section">
        <legend className="form-legend">发给谁</legend>
        {put([owner.key, product.key, ...Object.keys(family.batchFields).filter((name) => !batch.fields[name]?.readonly), 'name', 'purpose', 'price'])}
      </fieldset>
      <QuotaLine quota={quota} count={count} />
      <fieldset className="form-section">
        <legend className="form-legend">码</legend>
        {put(['count', 'prefix', 'code_len', 'per_user_limit'])}
      </fieldset>
      {count > 0 && <p className="note">平均每猜 {inWords(guessesPerHit(Number(values['code_len'] ?? 0), count))}次才可能猜中一个。</p>}
      <fieldset className="form-section">
        <legend className="form-legend">期限</legend>
        <FormField name="redeem_before" />
        <Form.Item label="有效期">
          <Radio.Group value={validity} options={[{ value: 'months', label: '激活后按月' }, { value: 'until', label: '到固定日期' }]}
            onChange={(event) => {
              setPicked(event.target.value as Validity)
              set({ valid_months: null, valid_until: null })
            }} />
        </Form.Item>
        <FormField name={validity === 'months' ? 'valid_months' : 'valid_until'} />
      </fieldset>
      <fieldset className="form-section"><FormField name="remark" /></fieldset>
    </>
  )
}

/** The form of a family's batches: a new one is made with its codes, of an old one few things can be changed. */
export function batchForm(family: CodeFamily) {
  return function BatchForm(props: FormLayoutProps) {
    if (!props.row) return <NewBatch family={family} {...props} />
    return <fieldset className="form-section">{family.batch.form.flatMap(({ fields }) => fields.map((name) => <FormField key={name} name={name} />))}</fieldset>
  }
}
