import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Select, Tag } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { CallError } from '../../core/endpoint/wire.ts'
import { FormField } from '../../core/record/form-field.tsx'
import { present, type FormLayoutProps, type InputProps, type PresentationOf } from '../../core/resource/present.tsx'
import { alertRule } from './alert.ts'
import { figureChoices, tryRule } from './alert-calls.ts'
import { MONITOR_PATH } from './rights.ts'
import { figureText, hourWord } from './words.ts'

const useFigures = () => useQuery({ queryKey: ['alert-figures'], queryFn: ({ signal }) => call(figureChoices, undefined, { signal, quiet: true }), staleTime: 600_000 }).data?.items ?? []

function FigureInput({ value, onChange, id }: InputProps<string>) {
  const figures = useFigures()
  return <Select id={id ?? ''} className="wide" showSearch={{ optionFilterProp: 'label' }} placeholder="请选择" value={value ?? null} onChange={(next) => onChange?.(next)} options={figures.map(({ name, title }) => ({ value: name, label: title }))} />
}

function LineInput({ value, onChange, id, values }: InputProps<string | null, { readonly figure?: string | null }>) {
  const lines = useFigures().find(({ name }) => name === values.figure)?.lines ?? []
  return <Select id={id ?? ''} className="wide" allowClear showSearch={{ optionFilterProp: 'label' }} placeholder={lines.length > 0 ? '全部' : '该指标不分产品线'} disabled={lines.length === 0 && !value} value={value ?? null} onChange={(next) => onChange?.(next ?? null)} options={lines.map(({ key, title }) => ({ value: key, label: title }))} />
}

type Values = FormLayoutProps<NonNullable<typeof alertRule.types>['shape']>['values']

/** What the rule would have done in the last 60 days, before it is saved. */
function Trial({ values }: { values: Values }) {
  const [asked, setAsked] = useState<{ key: string; input: Values }>()
  const key = JSON.stringify(values)
  const { data, error, isFetching } = useQuery({
    queryKey: ['alert-try', asked?.key], enabled: asked !== undefined, retry: false,
    queryFn: ({ signal }) => {
      const input = asked?.input ?? {}
      return call(tryRule, {
        figure: input.figure ?? '', line: input.line || null, group_by: input.group_by ?? null, compare: input.compare ?? 3, limit_value: input.limit_value ?? -1, recover_value: input.recover_value ?? -1,
        window_hours: input.window_hours ?? 4, for_n: input.for_n ?? 0, min_base: input.min_base ?? null,
      }, { signal, quiet: true, keepEmpty: true })
    },
  })
  const words = error instanceof CallError ? Object.values(error.fields)[0] ?? error.message : error?.message
  const isCurrent = asked?.key === key
  return (
    <div className="stat-trial" aria-live="polite">
      <Button loading={isFetching} onClick={() => setAsked({ key, input: values })}>{asked && !isCurrent ? '条件已改，重新试算' : '用近 60 天试算'}</Button>
      {isCurrent && error && <Alert type="warning" showIcon title={words} />}
      {isCurrent && data && (
        <>
          <p>近 {data.days} 天会触发 <strong>{data.times} 次</strong>{data.groups > 1 && `，涉及 ${data.groups} 项`}{data.times > 20 && '，偏多，可以提高触发值或连续次数'}{data.times === 0 && '，可以降低触发值看看'}</p>
          <ul className="stat-lists">{data.episodes.slice(0, 6).map((one) => <li key={`${one.began} ${one.title ?? ''}`}><span>{one.title && `${one.title}　`}{hourWord(one.began)} 至 {one.ended === null ? '今' : hourWord(one.ended)}</span><span className="figure">{figureText(data.as, one.worst)}{one.expected !== null && ` / 同期 ${figureText(data.as, Math.round(one.expected))}`}</span></li>)}</ul>
        </>
      )}
    </div>
  )
}

type Shape = NonNullable<typeof alertRule.types>['shape']

function RuleForm({ values }: FormLayoutProps<Shape>) {
  return (
    <>
      <h3>看什么</h3>
      <FormField name="name" /><FormField name="figure" /><FormField name="line" /><FormField name="group_by" />
      <h3>怎样算异常</h3>
      <FormField name="compare" /><FormField name="limit_value" /><FormField name="recover_value" /><FormField name="window_hours" /><FormField name="for_n" /><FormField name="min_base" />
      <Trial values={values} />
      <h3>告诉谁</h3>
      <FormField name="level" /><FormField name="notify_id" /><FormField name="repeat_hours" /><FormField name="quiet_from" /><FormField name="quiet_to" /><FormField name="runbook" />
    </>
  )
}

const presentation: PresentationOf<typeof alertRule> = {
  cells: {
    open_cnt: ({ value, row }) => (Number(value) > 0 ? <Link to={`${MONITOR_PATH}?rule_id=${row.id}&view=living`}><Tag color="error">{String(value)} 条</Tag></Link> : ''),
    fired_cnt: ({ value, row }) => (Number(value) > 0 ? <Link className="figure" to={`${MONITOR_PATH}?rule_id=${row.id}`}>{String(value)} 次</Link> : ''),
  },
  inputs: { figure: FigureInput, line: LineInput },
  form: RuleForm,
}

/** How rules look, and how they are tried on the past before they are saved. */
export default present(alertRule)(presentation)
