import { App, Alert, Button, Drawer, Form, Space } from 'antd'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { newKey, request } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import type { Holder } from '../error/error.ts'
import { formatTime } from '../field/time.ts'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import type { Presentation } from '../resource/present.tsx'
import { Presence } from '../presence/presence.tsx'
import { writableKeys } from '../resource/rules.ts'
import { useStaff } from '../session/staff-context.tsx'
import { useSaid } from '../undo/use-said.tsx'
import { retryLazy } from '../ui/retry-lazy.tsx'
import { Problems, type FieldProblem } from '../form/problems.tsx'
import { useWide } from '../ui/use-media.tsx'
import { usePageInset } from '../ui/use-page-inset.tsx'
import { changedKeys, draftKey, readDraft, writeDraft } from './draft.ts'
import { FormContext, FormField, type FormState } from './form-field.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { useUnsaved } from '../form/unsaved.tsx'

// Who has a value already is looked at without losing what was typed.
const RecordPanel = retryLazy(async () => ({ default: (await import('./record-panel.tsx')).RecordPanel }))

interface RecordFormProps {
  resource: Resource
  presentation?: Presentation
  /** The record to change; absent to create one. */
  row?: WireRow | undefined
  /** Values to start a new record with, such as a copy. */
  start?: Readonly<Record<string, unknown>>
  /** What making a new record is called where more than a record is made; nothing is then made one after another. */
  making?: { readonly label: string; readonly done: (row: WireRow) => string }
  /** The form is the page that it stands on, not a drawer over it: a record that was changed stays there. */
  inPlace?: true
  onClose: () => void
  onSaved: (row: WireRow, created: boolean) => void
}

type Values = Record<string, unknown>

function firstValues(resource: Resource, start: Readonly<Record<string, unknown>> = {}): Values {
  return Object.fromEntries(writableKeys(resource).map((key) => [key, start[key] ?? resource.fields[key]?.initial ?? null]))
}

/** The standard form of a resource in a drawer: same rules as the server, drafts, merge of stale writes, 继续新增. */
export function RecordForm({ resource, presentation, row, start, making, inPlace, onClose, onSaved }: RecordFormProps) {
  const { modal } = App.useApp()
  const said = useSaid()
  const staff = useStaff()
  const wide = useWide('md')
  const inset = usePageInset(wide)
  const [form] = Form.useForm<Values>()
  const keys = useMemo(() => writableKeys(resource), [resource])
  const [base, setBase] = useState<Values>(() => (row ? Object.fromEntries(keys.map((key) => [key, row[key] ?? null])) : firstValues(resource, start)))
  const [rev, setRev] = useState(row?.rev)
  const [busy, setBusy] = useState(false)
  const [dirty, setDirty] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [wrong, setWrong] = useState<readonly FieldProblem[]>([])
  const [holder, setHolder] = useState<Holder>()
  const [peek, setPeek] = useState<number>()
  const [stale, setStale] = useState<{ sentence: string; theirs: WireRow; mine: Values; changed: string[] }>()
  const storeKey = draftKey(staff.id, resource.name, row?.id)
  const [draft, setDraft] = useState(() => readDraft(localStorage, storeKey))
  const key = useRef(newKey())
  const alert = useRef<HTMLDivElement>(null)
  const watched = Form.useWatch([], form) as Values | undefined ?? base
  // What the resource fixes narrows references too.
  const values = useMemo(() => ({ ...resource.where, ...watched }), [resource, watched])
  const Layout = presentation?.form
  const state = useMemo<FormState>(() => ({ resource, inputs: presentation?.inputs, values, stored: row && base }), [resource, presentation?.inputs, values, row, base])
  const title = `${row ? '编辑' : '新增'}${resource.label}`
  useUnsaved(dirty, row ? `${title}「${String(row[resource.title] ?? row.id)}」` : title)

  useEffect(() => {
    if (!dirty) return
    const timer = setTimeout(() => writeDraft(localStorage, storeKey, form.getFieldsValue(true)), 400)
    return () => clearTimeout(timer)
  }, [values, dirty, storeKey, form])

  const clear = () => {
    setProblem(undefined)
    setWrong([])
    setHolder(undefined)
  }
  const touched = () => {
    setDirty(true)
    clear()
  }
  const goTo = (name: string) => form.scrollToField(name, { behavior: 'smooth', block: 'center', focus: true })
  /** Says all that is wrong, and goes to the first field of it; a layout may leave a field out at the moment, whose fault stands above the form alone. */
  const tell = (sentence: string, faults: Readonly<Record<string, string>>) => {
    setProblem(sentence)
    setWrong(Object.entries(faults).map(([name, text]) => ({ name, label: resource.fields[name]?.label ?? name, text })))
    const first = Object.keys(faults).find((name) => name in form.getFieldsValue())
    if (first === undefined) alert.current?.scrollIntoView({ block: 'nearest' })
    else goTo(first)
  }
  const set = (typed: Values) => {
    form.setFieldsValue(typed)
    touched()
  }
  const forgetDraft = () => {
    localStorage.removeItem(storeKey)
    setDraft(undefined)
  }
  const close = () => {
    if (!dirty) return onClose()
    modal.confirm({
      title: '有未保存的修改', content: '关闭后草稿会保留在本浏览器，下次打开可以恢复。', okText: '关闭', cancelText: '继续编辑', onOk: onClose,
    })
  }

  const send = async (sent: Values, withRev: number | undefined, again: boolean) => {
    setBusy(true)
    clear()
    try {
      const saved = row
        ? await request<WireRow>('PUT', `${resource.api.item}/${row.id}`, { ...sent, rev: withRev }, { keepEmpty: true })
        : await request<WireRow>('POST', resource.api.item, sent, { idempotencyKey: key.current })
      forgetDraft()
      setDirty(false)
      setStale(undefined)
      key.current = newKey()
      said({ words: row ? '已保存' : making?.done(saved) ?? '新增成功', undo: saved.undo })
      onSaved(saved, !row)
      if (again) {
        form.setFieldsValue(firstValues(resource, start))
        setBase(firstValues(resource, start))
      } else if (!inPlace || !row) onClose()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.status === 409 && error.body['current']) {
        setStale({ sentence: error.message, theirs: error.body['current'] as WireRow, mine: form.getFieldsValue(true), changed: Object.keys(sent) })
      } else {
        setHolder(error.body['holder'] as Holder | undefined)
        form.setFields(Object.entries(error.fields).map(([name, text]) => ({ name, errors: [text] })))
        tell(error.message, error.fields)
      }
    } finally {
      setBusy(false)
    }
  }

  const submit = async (again: boolean) => {
    const filled = await form.validateFields().catch((failure: { errorFields?: { name: string[]; errors: string[] }[] }) => {
      const faults = Object.fromEntries((failure.errorFields ?? []).map(({ name, errors }) => [name[0] ?? '', errors[0] ?? '']))
      tell(Object.values(faults)[0] ?? '请检查填写的内容', faults)
      return undefined
    })
    if (!filled) return
    const all = { ...base, ...form.getFieldsValue(true) } as Values
    if (!row) return send(all, undefined, again)
    const changed = changedKeys(keys, base, all)
    if (changed.length === 0) return onClose()
    await send(Object.fromEntries(changed.map((name) => [name, all[name] ?? null])), rev, false)
  }

  const footer = (
    <Space className="form-footer">
      <Button onClick={close}>{inPlace ? '返回' : '取消'}</Button>
      {!row && !making && <Button onClick={() => void submit(true)} loading={busy}>保存并继续新增</Button>}
      <Button type="primary" onClick={() => void submit(false)} loading={busy}>{(!row && making?.label) || '保存'}</Button>
    </Space>
  )
  const content = (
    <>
      {row && <Presence resource={resource} id={row.id} writes />}
      {draft && (
        <Alert className="form-alert" type="info" showIcon title={`发现 ${formatTime(Math.floor(draft.at / 1000)).slice(5, 16)} 未保存的内容`}
          action={(
            <Space>
              <Button size="small" type="primary" onClick={() => { form.setFieldsValue(draft.values); setDirty(true); setDraft(undefined) }}>恢复</Button>
              <Button size="small" onClick={forgetDraft}>丢弃</Button>
            </Space>
          )} />
      )}
      <div ref={alert} />
      {problem && (
        <Problems title={problem} fields={wrong} onGo={goTo}
          action={holder && <Button size="small" type="link" onClick={() => setPeek(holder.id)}>查看「{holder.name}」</Button>} />
      )}
      <Form form={form} name={resource.name} layout="vertical" initialValues={base} onValuesChange={touched} scrollToFirstError
        onKeyDown={(event) => { if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') void submit(false) }}>
        <FormContext value={state}>
          {Layout ? <Layout values={values} row={row} set={set} /> : resource.form.map((section) => (
            <fieldset key={section.title ?? 'fields'} className="form-section">
              {section.title && <legend className="form-legend">{section.title}</legend>}
              {section.fields.filter((name) => keys.includes(name)).map((name) => <FormField key={name} name={name} />)}
            </fieldset>
          ))}
        </FormContext>
      </Form>
      {peek !== undefined && <Suspense><RecordPanel resource={resource} presentation={presentation ?? {}} id={peek} onClose={() => setPeek(undefined)} /></Suspense>}
      {stale && (
        <MergeDialog sentence={stale.sentence} fields={resource.fields} changed={stale.changed} mine={stale.mine} base={base} theirs={stale.theirs}
          onCancel={() => setStale(undefined)}
          onMerge={(merged) => {
            setRev(stale.theirs.rev)
            setBase(Object.fromEntries(keys.map((name) => [name, stale.theirs[name] ?? null])))
            if (Object.keys(merged).length === 0) { forgetDraft(); onSaved(stale.theirs, false); onClose() } else void send(merged, stale.theirs.rev, false)
          }} />
      )}
    </>
  )
  if (inPlace) return <section className="form-in-place" aria-label={title}>{content}{footer}</section>
  return (
    <Drawer open title={title} size={wide ? 640 : '100%'} onClose={close} mask={{ closable: !dirty }} rootStyle={inset} destroyOnHidden footer={footer}>{content}</Drawer>
  )
}
