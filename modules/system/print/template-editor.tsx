import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Form, Input, Select, Skeleton, Switch, Tabs } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { CallError } from '../../../core/endpoint/wire.ts'
import { formatTime } from '../../../core/field/time.ts'
import { PAPERS, type Paper, type Printed, type PrintField, type TemplateDetail } from '../../../core/print/calls.ts'
import { PrintSheet } from '../../../core/print/print-sheet.tsx'
import type { RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { RichEditor } from '../../../core/rich-text/rich-editor.tsx'
import { Toolbar } from '../../../core/rich-text/toolbar.tsx'
import { useRichTools } from '../../../core/rich-text/use-rich-tools.tsx'
import { TEMPLATES } from './template.ts'
import './template.css'

const PAPER_CHOICES = Object.entries(PAPERS).map(([value, { label }]) => ({ value: value as Paper, label }))
const sentence = (error: unknown) => (error instanceof CallError ? Object.values(error.fields)[0] ?? error.message : '操作失败')

/** Fields to put in, what belongs together under one head. */
function Fields({ fields, onPut }: { fields: readonly PrintField[]; onPut: (field: PrintField) => void }) {
  const [word, setWord] = useState('')
  const shown = fields.filter(({ label }) => label.includes(word.trim()))
  return (
    <aside className="template-fields" aria-label="字段">
      <Input allowClear size="small" aria-label="查找字段" placeholder="查找字段" value={word} onChange={(event) => setWord(event.target.value)} />
      {[...Map.groupBy(shown, ({ of }) => of)].map(([of, items]) => (
        <section key={of}>
          <h4>{of}{items[0]?.repeats && <small>放在表格的一行中，按明细重复</small>}</h4>
          <p>{items.map((field) => <button key={field.path} type="button" className="rich-chip" onMouseDown={(event) => event.preventDefault()} onClick={() => onPut(field)}>{field.label}</button>)}</p>
        </section>
      ))}
    </aside>
  )
}

/** The template filled with a real record, read again when one asks for it. */
function Preview({ resource, paper, doc }: { resource: string; paper: Paper; doc: RichDoc | null }) {
  const [id, setId] = useState('')
  const [asked, setAsked] = useState<{ doc: RichDoc; paper: Paper; id: number | undefined }>()
  const { data, error, isFetching } = useQuery<Printed>({
    queryKey: ['print-preview', resource, asked], enabled: asked !== undefined, staleTime: 0,
    queryFn: ({ signal }) => call(TEMPLATES.preview, { resource, paper: asked?.paper ?? paper, doc: asked?.doc ?? null, ...(asked?.id !== undefined && { id: asked.id }) }, { signal, quiet: true }),
  })
  const look = () => { if (doc) setAsked({ doc, paper, id: Number(id) || undefined }) }
  return (
    <div className="template-preview">
      <p><Input size="small" aria-label="记录编号" inputMode="numeric" placeholder="记录编号，不填用最新一条" value={id} onChange={(event) => setId(event.target.value)} onPressEnter={look} /><Button size="small" loading={isFetching} disabled={!doc} onClick={look}>预览</Button></p>
      {error && <Alert type="error" showIcon title={sentence(error)} />}
      {data?.records.length === 0 && <p className="note">还没有可以预览的记录</p>}
      {data && data.records.length > 0 && <div className="sheet-preview"><PrintSheet printed={data} /></div>}
    </div>
  )
}

interface Start { name: string; resource: string; paper: Paper; doc: RichDoc | null; status: number }

interface EditorProps {
  /** The stored one; undefined for a new one. */
  stored: TemplateDetail | undefined
  start: Start
  onDone: () => void
}

function Editing({ stored, start, onDone }: EditorProps) {
  const { message } = App.useApp()
  const [name, setName] = useState(start.name)
  const [paper, setPaper] = useState(start.paper)
  const [on, setOn] = useState(start.status === 1)
  const [doc, setDoc] = useState(start.doc)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { active, tools, put, putImage, openFormula, dialogs } = useRichTools()
  const fields = useQuery({ queryKey: ['print-fields', start.resource], staleTime: 60_000, queryFn: ({ signal }) => call(TEMPLATES.fields, { resource: start.resource }, { signal, quiet: true }) })
  const save = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      if (stored) {
        const { version } = await call(TEMPLATES.save, { name, paper, doc, status: on ? 1 : 0, rev: stored.rev }, { params: { id: stored.id }, quiet: true })
        void message.success(version === stored.version ? '保存成功' : `已保存为第 ${version} 版`)
      } else {
        await call(TEMPLATES.create, { name, resource: start.resource, paper, doc }, { quiet: true })
        void message.success('保存成功')
      }
      onDone()
    } catch (error) {
      setProblem(sentence(error))
    } finally {
      setBusy(false)
    }
  }
  const restore = async (n: number) => {
    if (!stored) return
    const old = await call(TEMPLATES.version, undefined, { params: { id: stored.id, n } })
    setDoc(old.doc)
    setPaper(old.paper)
    void message.info(`已放入第 ${n} 版的内容，保存后成为新版本`)
  }
  return (
    <div className="template-editor">
      {(problem ?? fields.error) && <Alert className="form-alert" type="error" showIcon role="alert" title={problem ?? sentence(fields.error)} />}
      <div className="template-head">
        <Input aria-label="模板名称" value={name} maxLength={30} placeholder="模板名称" onChange={(event) => setName(event.target.value)} />
        <Select aria-label="纸张" value={paper} options={PAPER_CHOICES} onChange={setPaper} popupMatchSelectWidth={false} />
        {stored && <Switch aria-label="启用" checked={on} checkedChildren="启用" unCheckedChildren="停用" onChange={setOn} />}
        <Button type="primary" loading={busy} onClick={() => void save()}>保存</Button>
      </div>
      <div className="template-body">
        <div className="template-text rich-field">
          <Toolbar editor={active} onFormula={openFormula} onImage={putImage} />
          <RichEditor label="模板内容" value={doc} onChange={setDoc} placeholder="输入文字，在右侧选择字段插入" onFormula={openFormula} {...tools} />
          {dialogs}
        </div>
        <Tabs size="small" items={[
          { key: 'fields', label: '字段', children: fields.data ? <Fields fields={fields.data.items} onPut={({ path, label }) => { if (active) put({ type: 'fieldChip', attrs: { path, label } }); else void message.info('请先把光标放到模板内容中') }} /> : <Skeleton active /> },
          { key: 'preview', label: '预览', children: <Preview resource={start.resource} paper={paper} doc={doc} /> },
          ...(stored ? [{ key: 'versions', label: `版本（${stored.versions.length}）`, children: (
            <ul className="account-list">{stored.versions.map((one) => (
              <li key={one.n}><span>第 {one.n} 版{one.n === stored.version && '（当前）'}　<small>{formatTime(one.at).slice(0, 16)} {one.by ?? '系统'} · {PAPERS[one.paper].label}</small></span>{one.n !== stored.version && <Button size="small" onClick={() => void restore(one.n).catch(() => undefined)}>查看并恢复</Button>}</li>
            ))}</ul>
          ) }] : []),
        ]} />
      </div>
    </div>
  )
}

/** What a new template is for; asked first, since its fields follow from it. */
function Kind({ onChosen }: { onChosen: (start: Start) => void }) {
  const { data, error } = useQuery({ queryKey: ['print-resources'], queryFn: ({ signal }) => call(TEMPLATES.resources, undefined, { signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={sentence(error)} />
  return (
    <Form layout="vertical"><Form.Item label="用于打印" htmlFor="template-resource" extra="选好后，模板中可以插入这类记录的字段">
      <Select id="template-resource" showSearch={{ optionFilterProp: 'label' }} loading={!data} placeholder="选择记录类型" options={(data?.items ?? []).map((one) => ({ value: one.name, label: one.label }))}
        onChange={(resource: string) => onChosen({ name: '', resource, paper: 'a4', doc: null, status: 1 })} />
    </Form.Item></Form>
  )
}

/** Makes or changes a template beside the list. @param id of the stored one */
export function TemplateEditor({ id, reload, onClose }: { id: number | undefined; reload: () => void; onClose: () => void }) {
  const [fresh, setFresh] = useState<Start>()
  const { data, error } = useQuery({ queryKey: ['print-template', id], enabled: id !== undefined, staleTime: 0, gcTime: 0, queryFn: ({ signal }) => call(TEMPLATES.read, undefined, { params: { id: id ?? 0 }, signal, quiet: true }) })
  const start: Start | undefined = data ?? fresh
  const done = () => {
    reload()
    onClose()
  }
  return (
    <Drawer open size="100%" title={id === undefined ? '新增打印模板' : `打印模板 · ${data?.name ?? ''}`} onClose={onClose}>
      {error && <Alert type="error" showIcon title={sentence(error)} />}
      {id === undefined && !fresh && <Kind onChosen={setFresh} />}
      {id !== undefined && !data && !error && <Skeleton active />}
      {start && <Editing stored={data} start={start} onDone={done} />}
    </Drawer>
  )
}
