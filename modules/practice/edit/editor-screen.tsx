import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Modal, Skeleton, Space, Tag } from 'antd'
import { memo, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { CallError } from '../../../core/endpoint/wire.ts'
import { StateWord } from '../../../core/field/choice.tsx'
import { formatTime } from '../../../core/field/time.ts'
import { useUnsaved } from '../../../core/form/unsaved.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { inPlaceOf } from '../../../core/shell/tabs.ts'
import { Faults } from './faults.tsx'
import { useTabTitle } from '../../../core/shell/tabs-context.tsx'
import { useWide } from '../../../core/ui/use-media.tsx'
import { getPractice, type PracticeDetail } from '../bank/calls.ts'
import { bankGrant, editorPath, STATUSES } from '../bank/practice.ts'
import type { QuestionType } from '../content/question.ts'
import { QuestionView } from '../content/render.tsx'
import { sourceWords } from '../ui/practice-card.tsx'
import { PracticeActions, useReloadPractices } from '../ui/use-moves.tsx'
import { practiceQuery, useSubjects } from '../ui/use-practice.tsx'
import { createPractice, dropDraft, keepDraft, readDraft, savePractice, type Written } from './calls.ts'
import { ContentEditing } from './content-editing.tsx'
import { FactsForm } from './facts-form.tsx'
import { MergeWritten } from './merge-written.tsx'
import { Rail } from './rail.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { useAlike } from './use-alike.tsx'
import { useKeys } from '../ui/use-keys.tsx'
import { changedParts, changeType, NO_FACTS, startContent, startWritten, tidy, withPart, writtenOf } from './written.ts'
import '../../../core/list/list.css'
import '../ui/bank.css'
import './editor.css'

type Level = 0 | 1 | 2

/** How long after the last change a draft is kept, in milliseconds. */
const KEEP = 2000

/** 试题编辑: a new question, a draft, or a stored question to look at (domain 1.11). */
export function EditorScreen({ level }: { level: Level }) {
  const { type = 'back', id = 'new' } = useParams()
  const practiceId = /^\d+$/.test(id) ? Number(id) : undefined
  const { data, error, isPending, refetch } = useQuery({ ...practiceQuery(practiceId ?? 0), enabled: practiceId !== undefined, refetchOnMount: 'always' })
  useTabTitle(practiceId === undefined ? '新增试题' : data?.no)
  if (practiceId !== undefined && error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (practiceId !== undefined && isPending) return <Skeleton active paragraph={{ rows: 10 }} />
  if (data && type !== 'verify' && data.can.includes('edit')) return <Editing key={data.id} level={level} detail={data} />
  if (data) return <Reading level={level} detail={data} />
  return <NewQuestion level={level} />
}

/** A stored question that cannot be changed here now: as students see it, with everything about it beside. */
function Reading({ level, detail }: { level: Level; detail: PracticeDetail }) {
  return (
    <section className="edit edit-reading" aria-label={`试题 ${detail.no}`}>
      <div className="edit-main">
        <header className="edit-head"><b className="figure">{detail.no}</b><StateWord choices={STATUSES} value={detail.status} /><span className="note">{sourceWords(detail)}</span><Space className="edit-head-end"><PracticeActions row={detail} canOpen={false} /></Space></header>
        <div className="edit-paper"><QuestionView content={detail.content} answer="shown" /></div>
      </div>
      <Rail level={level} written={writtenOf(detail)} detail={detail} editable={false} alike={{ items: [], searching: false }} onChange={() => undefined} onRestored={() => undefined} />
    </section>
  )
}

function NewQuestion({ level }: { level: Level }) {
  const can = useCan()
  const [query] = useSearchParams()
  const subjects = useSubjects(level)
  const subjectId = Number(query.get('cat_id')) || subjects[0]?.id
  if (!can(bankGrant('back', level, 'edit'))) return <Alert type="warning" showIcon title="没有「新增和编辑」权限，请联系管理员开通" />
  if (subjectId === undefined) return <Skeleton active />
  return <Editing level={level} detail={undefined} subjectId={subjectId} />
}

// What has not changed is not drawn again while a text is typed.
const Facts = memo(FactsForm)
const Beside = memo(Rail)

interface EditingProps {
  level: Level
  detail: PracticeDetail | undefined
  subjectId?: number
}

const NOTHING_WRONG: Readonly<Record<string, string>> = {}

function Editing({ level, detail: opened, subjectId = 0 }: EditingProps) {
  const { message, modal } = App.useApp()
  const navigate = useNavigate()
  const client = useQueryClient()
  const wide = useWide('xl')
  const [detail, setDetail] = useState(opened)
  const [base, setBase] = useState<Written>(() => (opened ? writtenOf(opened) : startWritten(subjectId)))
  const [written, setWritten] = useState(base)
  const latest = useRef(written)
  /** Changes what is written; `latest` has it at once, also for a key that saves before the next drawing. */
  const write = useCallback((changed: (old: Written) => Written) => {
    latest.current = changed(latest.current)
    setWritten(latest.current)
  }, [])
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>(NOTHING_WRONG)
  const [busy, setBusy] = useState(false)
  const [kept, setKept] = useState<number>()
  const [conflict, setConflict] = useState<{ sentence: string; theirs: PracticeDetail }>()
  const [keys, setKeys] = useState(false)
  const [rail, setRail] = useState(false)
  const [round, setRound] = useState(0)
  const id = detail?.id ?? 0
  const dirty = changedParts(base, written).length > 0
  useUnsaved(dirty, detail ? `试题 ${detail.no}` : '新增试题')
  const reload = useReloadPractices()
  const alike = useAlike(written, detail?.id)
  // The texts beside follow when the keys leave time for it; labels and chapters at once.
  const { facts, labels, chapter_ids } = written
  const content = useDeferredValue(written.content)
  const beside = useMemo(() => ({ content, facts, labels, chapter_ids }), [content, facts, labels, chapter_ids])

  // What was typed on another day or another computer.
  useEffect(() => {
    let gone = false
    void call(readDraft, { practice_id: String(id), level: String(level) }, { quiet: true }).then(({ draft }) => {
      if (gone || !draft?.written.content || !draft.written.facts) return
      const found: Written = { content: draft.written.content, facts: { ...NO_FACTS, ...draft.written.facts }, labels: draft.written.labels ?? [], chapter_ids: draft.written.chapter_ids ?? [] }
      if (changedParts(base, found).length === 0) return
      modal.confirm({
        title: '有未保存的草稿', content: `${formatTime(draft.at).slice(0, 16)} 自动保存的内容，要接着编辑吗？`, okText: '接着编辑', cancelText: '丢弃',
        onOk: () => write(() => found), onCancel: () => { void call(dropDraft, { practice_id: String(id), level: String(level) }, { quiet: true, background: true }).catch(() => undefined) },
      })
    }, () => undefined)
    return () => { gone = true }
    // Asked once, when the page opens.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  useEffect(() => {
    if (!dirty) return undefined
    const wait = window.setTimeout(() => {
      void call(keepDraft, { practice_id: id, level, base_rev: detail?.rev ?? null, written: written as unknown as Record<string, unknown> }, { quiet: true, background: true, keepEmpty: true }).then(({ at }) => setKept(at), () => undefined)
    }, KEEP)
    return () => window.clearTimeout(wait)
  }, [dirty, written, id, level, detail?.rev])

  const change = useCallback((part: Partial<Written>) => write((old) => ({ ...old, ...part })), [write])
  const changeContent = useCallback((content: Written['content']) => write((old) => ({ ...old, content })), [write])
  const changeFacts = useCallback((facts: Partial<Written['facts']>) => write((old) => ({
    ...old, facts: { ...old.facts, ...facts }, ...(facts.subject_id && facts.subject_id !== old.facts.subject_id && { labels: [], chapter_ids: [] }),
  })), [write])
  const retype = useCallback((type: QuestionType) => write((old) => ({ ...old, content: changeType(old.content, type) })), [write])
  const rescore = useCallback((score: number | null) => write((old) => ({ ...old, content: { ...old.content, score } })), [write])

  /** Stores what is typed; undefined when it was refused. */
  const save = async (what: Written, rev = detail?.rev): Promise<PracticeDetail | undefined> => {
    const sent = { ...what, content: tidy(what.content) }
    setBusy(true)
    setErrors({})
    setFaults(NOTHING_WRONG)
    try {
      const input = { ...sent, facts: sent.facts as unknown as Record<string, unknown> }
      const saved = detail ? await call(savePractice, { ...input, rev: rev ?? detail.rev }, { params: { id: detail.id }, keepEmpty: true }) : await call(createPractice, { ...input, level }, { keepEmpty: true })
      setConflict(undefined)
      await reload()
      return saved
    } catch (failure) {
      if (failure instanceof CallError && failure.status === 409 && failure.body['current'] && detail) {
        const theirs = await call(getPractice, undefined, { params: { id: detail.id } })
        write(() => what)
        setConflict({ sentence: failure.message, theirs })
      } else if (failure instanceof CallError && Object.keys(failure.fields).length > 0) {
        setErrors(failure.fields)
        void message.error(failure.message, 5)
      }
      return undefined
    } finally {
      setBusy(false)
    }
  }
  /** Shows a question as it was stored; what was typed since `sent` went to the server stays, unsaved. */
  const settle = useCallback((saved: PracticeDetail, sent?: Written) => {
    const now = writtenOf(saved)
    setDetail(saved)
    setBase(now)
    write((old) => (sent ? changedParts(sent, old).reduce((kept, name) => withPart(kept, name, old), now) : now))
    setKept(undefined)
    client.setQueryData(['practice', saved.id], saved)
  }, [client, write])
  const restored = useCallback((saved: PracticeDetail) => {
    settle(saved)
    setRound((old) => old + 1)
  }, [settle])
  /** All that is written, with what is being typed this moment. */
  const readNow = (): Written => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    return latest.current
  }
  const store = async () => {
    const what = readNow()
    const saved = await save(what)
    if (!saved) return
    settle(saved, what)
    void message.success('已保存')
    if (!detail) void navigate(editorPath(level, 'back', saved.id), { replace: true, state: inPlaceOf(editorPath(level, 'back', 'new')) })
  }
  /** Saves and begins the next question with the same subject, type, source, with the scanned page it stands on, and labels. */
  const storeAndGoOn = async () => {
    const what = readNow()
    const saved = await save(what)
    if (!saved) return
    void message.success(`已保存 ${saved.no}`)
    if (detail) return void navigate(`${editorPath(level, 'back', 'new')}?cat_id=${what.facts.subject_id}`)
    const next: Written = { content: { ...startContent(what.content.type), score: what.content.score }, facts: { ...what.facts, source_order: what.facts.source_order === null ? null : what.facts.source_order + 1, video: null }, labels: what.labels, chapter_ids: what.chapter_ids }
    setBase(next)
    write(() => next)
    setKept(undefined)
    setRound(round + 1)
  }
  useKeys({ 'ctrl+s': () => void store(), 'ctrl+enter': () => void storeAndGoOn(), f1: () => setKeys(true) })

  const side = (
    <Beside level={level} written={beside} detail={detail} editable alike={alike} onChange={change} onRestored={restored} />
  )
  const duplicate = alike.items.find(({ kind }) => kind !== 'variant')
  return (
    <section className="edit" aria-label={detail ? `编辑试题 ${detail.no}` : '新增试题'}>
      <div className="edit-main">
        <header className="edit-head">
          {detail && <b className="figure">{detail.no}</b>}
          {detail && <StateWord choices={STATUSES} value={detail.status} />}
          {dirty ? <Tag color="warning">未保存</Tag> : detail && <Tag>已保存</Tag>}
          {kept !== undefined && dirty && <span className="note">草稿已于 {formatTime(kept).slice(11)} 自动保存</span>}
          <Space className="edit-head-end" wrap>
            {!wide && <Button onClick={() => setRail(true)}>预览和标签</Button>}
            {detail && !dirty && <PracticeActions row={detail} canOpen={false} onRefused={setFaults} />}
            <Button loading={busy} onClick={() => void storeAndGoOn()}>保存并继续新增</Button>
            <Button type="primary" loading={busy} onClick={() => void store()}>保存</Button>
          </Space>
        </header>
        <Faults faults={faults} />
        <Facts level={level} type={written.content.type} score={written.content.score} facts={written.facts} errors={errors} onType={retype} onScore={rescore} onChange={changeFacts} />
        <ContentEditing content={written.content} round={round} startHere={!detail} onChange={changeContent} onShortcuts={() => setKeys(true)}>
          {(errors['content'] ?? errors['labels'] ?? errors['chapter_ids']) && <Alert type="error" showIcon title={errors['content'] ?? errors['labels'] ?? errors['chapter_ids']} />}
          {duplicate && <Alert type="warning" showIcon title={`与 ${duplicate.practice.no} 相似 ${Math.round(duplicate.score * 100)}%，可能是重复题`} action={<Button size="small" onClick={() => void navigate(editorPath(level, duplicate.practice.pool, duplicate.practice.id))}>查看</Button>} />}
        </ContentEditing>
      </div>
      {wide ? side : <Drawer open={rail} onClose={() => setRail(false)} title="预览和标签" size="100%">{side}</Drawer>}
      {conflict && <MergeWritten sentence={conflict.sentence} base={base} mine={written} theirs={writtenOf(conflict.theirs)} onCancel={() => setConflict(undefined)}
        onMerge={(merged) => void save(merged, conflict.theirs.rev).then((saved) => { if (saved) { restored(saved); void message.success('已合并保存') } })} />}
      <Modal open={keys} title="快捷键" footer={null} onCancel={() => setKeys(false)}><Shortcuts /></Modal>
    </section>
  )
}
