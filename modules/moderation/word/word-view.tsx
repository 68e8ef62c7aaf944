import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Form, Input, Modal, Segmented, Select, Switch, Table, Timeline } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { CallError } from '../../../core/endpoint/wire.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import { StateWord } from '../../../core/field/choice.tsx'
import { briefTime } from '../../../core/field/time.ts'
import { useAttempt } from '../../../core/form/use-attempt.tsx'
import { validated } from '../../../core/form/validated.tsx'
import type { WireRow } from '../../../core/resource/endpoints.ts'
import { present, type RowDialogProps } from '../../../core/resource/present.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useSaid } from '../../../core/undo/use-said.tsx'
import { useSend } from '../../user/door.tsx'
import { MANAGE_RIGHTS } from '../rights.ts'
import { SAID_STATES, TARGETS } from '../said/said.ts'
import { Marked } from '../said/said-parts.tsx'
import { checkText, MANY_HITS, pasteWords, saveWord, TRY_DAYS, tryWord, wordVersions, type Pasted, type Tried } from './calls.ts'
import { LEVEL, type Level } from './match.ts'
import { LEVELS, sensitiveWord, WORD_GROUPS, WORD_LENGTH, type WordGroup } from './word.ts'

interface Values { word: string; group: WordGroup; level: Level; loose: boolean; exempt: string[] }
const VERDICTS: Readonly<Record<string, string>> = { block: '会被拦截', review: '会等待人工审核', replace: '命中的词会显示为 *', note: '照常发布，只作记录', clear: '没有命中' }

/** What a word would have found lately. */
function TriedList({ tried }: { tried: Tried }) {
  return (
    <>
      <Alert type={tried.hits >= MANY_HITS ? 'warning' : 'info'} showIcon title={`近 ${TRY_DAYS} 天命中 ${tried.hits.toLocaleString('zh-CN')} 条，涉及 ${tried.people.toLocaleString('zh-CN')} 人`} description={`共查看 ${tried.looked.toLocaleString('zh-CN')} 条评论${tried.items.length < tried.hits ? `，下面是最近的 ${tried.items.length} 条` : ''}`} />
      {tried.items.length > 0 && (
        <Table className="word-tried" size="small" rowKey="id" pagination={false} dataSource={tried.items} columns={[
          { title: '评论', render: (_value, one) => <Marked text={one.content} hits={one.hits} /> },
          { title: '对象', width: 64, render: (_value, { target }) => choiceLabel(TARGETS, target) },
          { title: '状态', width: 88, render: (_value, { state }) => <StateWord choices={SAID_STATES} value={state} /> },
          { title: '时间', width: 112, render: (_value, { at }) => briefTime(at) },
        ]} />
      )}
    </>
  )
}

/** A word, new or changed: it is tried before it is saved, and one that would find much asks twice. */
function WordDialog({ row, onClose, onDone }: { row?: WireRow<typeof sensitiveWord>; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<Values>()
  const [tried, setTried] = useState<Tried>()
  const [asks, setAsks] = useState(false)
  const [sure, setSure] = useState(false)
  const { busy, problem, send } = useSend(form)
  const { busy: trying, attempt } = useAttempt()
  const read = async () => {
    const values = await validated(form)
    return values && { word: values.word, level: values.level, loose: (values.loose ? 1 : 0) as 0 | 1, exempt: values.exempt ?? [], group: values.group }
  }
  const look = () => attempt(async () => {
    const values = await read()
    if (!values) return
    const { group: _group, ...meant } = values
    setTried(await call(tryWord, meant, { quiet: true }))
  })
  const save = () => send(async () => {
    const values = await read()
    if (!values) return
    try {
      const { version } = await call(saveWord, { ...values, ...(row && { id: row.id }), ...(sure && { sure }) }, { quiet: true })
      said({ words: `已保存，词库版本 ${version}` })
      onDone()
      onClose()
    } catch (error) {
      if (!(error instanceof CallError) || !error.body['tried']) throw error
      setTried(error.body['tried'] as Tried)
      setAsks(true)
    }
  })
  const changed = () => { setTried(undefined); setAsks(false); setSure(false) }
  return (
    <Modal open width={720} title={row ? `修改敏感词「${row.word}」` : '新增敏感词'} okText={asks ? `保存，近 ${TRY_DAYS} 天会命中 ${tried?.hits ?? 0} 条` : '保存'} okButtonProps={{ disabled: asks && !sure }} confirmLoading={busy} onOk={() => void save()} onCancel={onClose} destroyOnHidden
      footer={(_node, { OkBtn, CancelBtn }) => <><Button loading={trying} onClick={() => void look()}>试词</Button><CancelBtn /><OkBtn /></>}>
      {problem}
      <Form form={form} layout="vertical" onValuesChange={changed} initialValues={row ? { word: row.word, group: row.group, level: row.level, loose: row.loose === 1, exempt: row.exempt ?? [] } : { group: 'ad', level: LEVEL.review, loose: false, exempt: [] }}>
        <Form.Item name="word" label="词" rules={[{ required: true, whitespace: true, message: '请填写敏感词' }]} extra="全角、空格、符号和零宽字符会自动忽略：加-微 信 与 加微信 是同一个词；英文词只匹配完整单词"><Input maxLength={WORD_LENGTH} showCount /></Form.Item>
        <Form.Item name="level" label="命中后"><Segmented options={LEVELS.map(({ value, label }) => ({ value, label }))} /></Form.Item>
        <Form.Item name="group" label="分组"><Select options={[...WORD_GROUPS]} /></Form.Item>
        <Form.Item name="loose" label="谐音匹配" valuePropName="checked" extra="读音相同的写法（加薇信）只转人工审核，不会直接拦截"><Switch /></Form.Item>
        <Form.Item name="exempt" label="豁免短语" extra="包含这个词但不算命中的说法，如「打赌」之于「赌」"><Select mode="tags" tokenSeparators={['，', ',', '、']} open={false} suffixIcon={null} /></Form.Item>
      </Form>
      {tried && <TriedList tried={tried} />}
      {asks && <Checkbox checked={sure} onChange={(event) => setSure(event.target.checked)}>我已看过命中的评论，仍要保存</Checkbox>}
    </Modal>
  )
}

const PASTED: Readonly<Record<Pasted['as'], string>> = { new: '新增', known: '已在词库', twice: '与前面重复', wrong: '无法识别' }

/** 批量录入: pasted lines are read first, then kept. */
function PasteDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [text, setText] = useState('')
  const [group, setGroup] = useState<WordGroup>('ad')
  const [level, setLevel] = useState<Level>(LEVEL.review)
  const [read, setRead] = useState<{ items: Pasted[]; added: number; hits: number }>()
  const [sure, setSure] = useState(false)
  const { busy, attempt } = useAttempt()
  const many = (read?.hits ?? 0) >= MANY_HITS
  const run = (write: boolean) => attempt(async () => {
    const answer = await call(pasteWords, { text, group, level, write, ...(sure && { sure }) }, { quiet: true })
    if (!write) return setRead(answer)
    said({ words: `已录入 ${answer.added} 个词，词库版本 ${answer.version}` })
    onDone()
    onClose()
  })
  return (
    <Modal open width={720} title="批量录入敏感词" okText={read ? `录入 ${read.added} 个` : '检查'} okButtonProps={{ disabled: text.trim() === '' || (read !== undefined && (read.added === 0 || (many && !sure))) }} confirmLoading={busy} onOk={() => void run(read !== undefined)} onCancel={onClose} destroyOnHidden>
      <p className="note">每行一个词，也可以从表格粘贴三列：词、分组、处理方式。重复的会合并。</p>
      <div className="said-answer">
        <Input.TextArea aria-label="敏感词" rows={8} value={text} onChange={(event) => { setText(event.target.value); setRead(undefined); setSure(false) }} placeholder={'加微信\n代考\t作弊代考\t拦截'} />
        <Segmented aria-label="默认处理方式" value={level} onChange={(next) => { setLevel(next); setRead(undefined) }} options={LEVELS.map(({ value, label }) => ({ value, label }))} />
        <Select aria-label="默认分组" value={group} onChange={(next) => { setGroup(next); setRead(undefined) }} options={[...WORD_GROUPS]} />
      </div>
      {read && (
        <>
          <Alert type={many ? 'warning' : 'info'} showIcon title={`可录入 ${read.added} 个，近 ${TRY_DAYS} 天会命中 ${read.hits.toLocaleString('zh-CN')} 条评论`} />
          <Table className="word-tried" size="small" rowKey="line" pagination={false} dataSource={read.items.filter(({ as }) => as !== 'new')} locale={{ emptyText: '每一行都可以录入' }} columns={[{ title: '行', dataIndex: 'line', width: 64 }, { title: '词', dataIndex: 'word' }, { title: '结果', render: (_value, one) => one.why ?? PASTED[one.as] }]} />
          {many && <Checkbox checked={sure} onChange={(event) => setSure(event.target.checked)}>我知道会命中这些评论，仍要录入</Checkbox>}
        </>
      )}
    </Modal>
  )
}

/** 检查文字: what would become of something that somebody writes. */
function CheckDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [found, setFound] = useState<{ text: string; hits: Tried['items'][number]['hits']; verdict: string; version: number }>()
  const { busy, attempt } = useAttempt()
  return (
    <Modal open title="检查文字" okText="检查" okButtonProps={{ disabled: text.trim() === '' }} confirmLoading={busy} onCancel={onClose} destroyOnHidden onOk={() => void attempt(async () => setFound({ text, ...await call(checkText, { text }, { quiet: true }) }))}>
      <Input.TextArea aria-label="要检查的文字" rows={4} maxLength={500} showCount value={text} onChange={(event) => setText(event.target.value)} />
      {found && <><p className="review-words"><Marked text={found.text} hits={found.hits} /></p><p aria-live="polite">{VERDICTS[found.verdict]}（词库版本 {found.version}）</p></>}
    </Modal>
  )
}

/** States of the list, with who changed what. */
function Versions({ onClose }: { onClose: () => void }) {
  const { data, error } = useQuery({ queryKey: ['word-versions'], queryFn: ({ signal }) => call(wordVersions, undefined, { signal, quiet: true }) })
  return (
    <Modal open title="词库版本" footer={null} onCancel={onClose} destroyOnHidden loading={!data && !error}>
      {error ? <Alert type="error" showIcon title={error.message} /> : data && <><p className="note">启用中的词 {data.words} 个。每条评论记下它是按哪个版本检查的；改了什么在操作日志里。</p>
        <Timeline className="word-tried" items={data.items.map((one) => ({ key: one.id, content: <><b className="figure">{one.id}</b>　{one.note}　<span className="note">{one.staff_name ?? '系统'} · {briefTime(one.at)}</span></> }))} /></>}
    </Modal>
  )
}

function Main({ reload }: { reload: () => void }) {
  const can = useCan()
  const [shown, setShown] = useState(false)
  return can(MANAGE_RIGHTS.id('words')) ? <><Button type="primary" onClick={() => setShown(true)}>新增敏感词</Button>{shown && <WordDialog onClose={() => setShown(false)} onDone={reload} />}</> : null
}

function Toolbar({ reload }: { reload: () => void }) {
  const can = useCan()
  const [shown, setShown] = useState<'paste' | 'check' | 'versions'>()
  const close = () => setShown(undefined)
  return (
    <>
      {can(MANAGE_RIGHTS.id('words')) && <Button onClick={() => setShown('paste')}>批量录入</Button>}<Button onClick={() => setShown('check')}>检查文字</Button><Button onClick={() => setShown('versions')}>词库版本</Button>
      {shown === 'paste' && <PasteDialog onClose={close} onDone={reload} />}{shown === 'check' && <CheckDialog onClose={close} />}{shown === 'versions' && <Versions onClose={close} />}
    </>
  )
}

const Edit = ({ row, reload, onClose }: RowDialogProps<typeof sensitiveWord>) => <WordDialog row={row} onClose={onClose} onDone={reload} />

/** Words: tried before they are saved, pasted, checked. */
export default present(sensitiveWord)({
  slots: { main: Main, toolbar: Toolbar },
  rowActions: [{ key: 'change', label: '修改', first: true, grant: MANAGE_RIGHTS.id('words'), visible: (row) => row.deleted_at === null }],
  dialogs: { change: Edit },
})
