import { useMutation } from '@tanstack/react-query'
import { App, Button, Drawer, Empty, Form, Space, Spin } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { useCloseGuard } from '../../../core/form/close-guard.tsx'
import type { Wish } from './candidates.server.ts'
import { createSmart, trySmart, type SmartOutcome } from './calls.ts'
import { paperSpec } from '../spec/calls.ts'
import { sectionsSchema, type SmartRule } from './rule.ts'
import { ruleOf, SmartForm, type SmartDraft } from './smart-form.tsx'
import { SmartResult, type Relaxation } from './smart-result.tsx'

/** What stands beside the form: choices made on the result, and the seed that it came from. */
interface Choices {
  locked: { practice_id: number; section: number }[]
  exclude: number[]
  seed?: number
}

/** The form without a wish of the whole paper. */
const DROPPED: Readonly<Record<Wish, Partial<SmartDraft>>> = { scope: { labels: [] }, catalog_ids: { catalog_ids: [] }, years: { year_from: null, year_to: null }, region_ids: { region_ids: [] }, has_video: { has_video: false }, has_analysis: { has_analysis: false } }

const NOTHING: Choices = { locked: [], exclude: [] }

/** What a paper like another one is asked to be. @throws Error when its table cannot be recovered */
async function parallelDraft(paper: number): Promise<Partial<SmartDraft>> {
  const { subject_id, name, sections, coef, minutes, practice_ids } = await call(paperSpec, undefined, { params: { id: paper }, quiet: true })
  const checked = sectionsSchema.safeParse(sections)
  if (!checked.success) throw new Error(`这份试卷不能还原细目表：${checked.error.issues[0]?.message ?? ''}`)
  return { name: `${name}（平行卷）`.slice(0, 60), subject_id, sections: checked.data as SmartDraft['sections'], coef, minutes, exclude_ids: practice_ids }
}

/** Composes a smart paper: what is asked at the left, what comes of it at the right, until it is kept. */
export function SmartDialog({ parallelOf, onClose, onSaved }: { /** The paper that one like it is wanted of. */ parallelOf?: number | undefined; onClose: () => void; onSaved: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<SmartDraft>()
  const [choices, setChoices] = useState<Choices>(NOTHING)
  const [result, setResult] = useState<{ rule: SmartRule; outcome: SmartOutcome }>()
  const close = useCloseGuard(result !== undefined, '智能组卷', onClose)
  const asked = (draft: SmartDraft, now: Choices): SmartRule => ({
    ...ruleOf(draft),
    ...(now.locked.length > 0 && { locked: now.locked }), ...(now.exclude.length > 0 && { exclude_ids: [...draft.exclude_ids ?? [], ...now.exclude] }), ...(now.seed !== undefined && { seed: now.seed }),
  })
  const compose = useMutation({
    mutationFn: async ({ draft, now }: { draft: SmartDraft; now: Choices }) => {
      const rule = asked(draft, now)
      return { rule, outcome: await call(trySmart, { subject_id: draft.subject_id ?? 0, rule }, { quiet: true }) }
    },
    onSuccess: setResult,
    onError: (error) => void message.error(error.message, 5),
  })
  const save = useMutation({
    mutationFn: () => call(createSmart, { name: form.getFieldValue('name') as string, subject_id: form.getFieldValue('subject_id') as number, rule: { ...(result as NonNullable<typeof result>).rule, seed: (result as NonNullable<typeof result>).outcome.seed } }, { quiet: true }),
    onSuccess: () => { void message.success('保存成功'); onSaved(); onClose() },
    onError: (error) => void message.error(error.message, 5),
  })
  /** Composes again with what the form says now; a choice made on the result keeps the seed, so that the rest stays alike. */
  const again = (now: Choices) => {
    setChoices(now)
    void form.validateFields().then((draft) => compose.mutate({ draft, now }), () => undefined)
  }
  const kept = { ...choices, ...(result && { seed: result.outcome.seed }) }
  const relax = (conditions: readonly Relaxation[]) => {
    for (const { section, row, key } of conditions) form.setFieldValue(['sections', section, 'rows', row, key], undefined)
    again(choices)
  }
  const drop = (wish: Wish) => {
    form.setFieldsValue(DROPPED[wish])
    again(choices)
  }
  useEffect(() => {
    if (parallelOf === undefined) return
    void parallelDraft(parallelOf).then((draft) => form.setFieldsValue(draft), (error: Error) => void message.error(error.message, 5))
  }, [parallelOf, form, message])
  const parallel = Form.useWatch('exclude_ids', { form, preserve: true })
  const include = () => {
    form.setFieldValue('exclude_ids', [])
    again(choices)
  }
  const pane = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On a narrow screen it comes below the form, out of sight of who has just asked for it.
    const top = result && pane.current?.getBoundingClientRect().top
    if (top !== undefined && top > window.innerHeight / 2) pane.current?.scrollIntoView({ block: 'start' })
  }, [result])
  const whole = result !== undefined && result.outcome.versions.length > 0 && result.outcome.versions.every(({ unmet }) => unmet.length === 0)
  return (
    <Drawer open size="100%" title="智能组卷" onClose={close} footer={(
      <Space wrap>
        <Button type={whole ? 'default' : 'primary'} loading={compose.isPending} onClick={() => again({ locked: choices.locked, exclude: choices.exclude })}>{result && result.outcome.unmet.length === 0 ? '换一批' : '组卷'}</Button>
        <Button type="primary" disabled={!whole} loading={save.isPending} onClick={() => save.mutate()}>保存</Button>
        <Button onClick={close}>关闭</Button>
      </Space>
    )}>
      <div className="smart-columns">
        <div><SmartForm form={form} onSubmit={() => again(NOTHING)} /></div>
        <div aria-live="polite" ref={pane}>
          <Spin spinning={compose.isPending}>
            {result
              ? (
                <SmartResult rule={result.rule} outcome={result.outcome} onRelax={relax} onWish={drop} onInclude={parallel?.length ? include : undefined}
                  onLock={(practice_id, section, locked) => again({ ...kept, locked: locked ? [...choices.locked, { practice_id, section }] : choices.locked.filter((one) => one.practice_id !== practice_id) })}
                  onReplace={(practice_id, by, section) => again({ ...kept, exclude: [...choices.exclude, practice_id], locked: [...choices.locked.filter((one) => one.practice_id !== practice_id), { practice_id: by, section }] })} />
              )
              : <Empty description="填写左侧要求后点「组卷」" />}
          </Spin>
        </div>
      </div>
    </Drawer>
  )
}
