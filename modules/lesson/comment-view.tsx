import { App, Input, Modal, Tag } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call, request } from '../../core/endpoint/call.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { resourceEndpoints, type WireRow } from '../../core/resource/endpoints.ts'
import { present, type RowDialogProps } from '../../core/resource/present.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { usePageKeys } from '../../core/ui/use-page-keys.tsx'
import { EVALUATION_EDIT } from './calls.ts'
import { evaluation } from './evaluation.ts'
import './lesson.css'

type Row = WireRow<typeof evaluation>
const LONGEST = 500

/** 回复: what staff answer, in one field. */
function ReplyDialog({ row, reload, onClose }: RowDialogProps<typeof evaluation>) {
  const said = useSaid()
  const { message } = App.useApp()
  const [text, setText] = useState(row.reply ?? '')
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const { undo } = await request<Row & { undo?: number }>('PUT', `${evaluation.api.item}/${row.id}`, { reply: text.trim() || null, rev: row.rev }, { quiet: true })
      said({ words: text.trim() ? '已回复' : '已撤下回复', undo })
      reload()
      onClose()
    } catch (error) {
      void message.error(error instanceof Error ? error.message : '回复失败，请重试')
      setBusy(false)
    }
  }
  return (
    <Modal open title={`回复 ${row.nickname}`} okText="回复" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      <p>{'★'.repeat(row.star)} {row.content}</p>
      <Input.TextArea aria-label="回复" rows={4} maxLength={LONGEST} showCount value={text} onChange={(event) => setText(event.target.value)} onKeyDown={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save() }} />
    </Modal>
  )
}

/** Keys of the review, beside those of every list: P shows, H hides, R answers, T puts on top; each of the record that is open (docs/design.md). */
function ReviewKeys({ row, reload, open }: { row: Row; reload: () => void; open: (dialog: string) => void }) {
  const said = useSaid()
  const may = useCan()
  const { transitions } = resourceEndpoints(evaluation)
  const run = (name: 'show' | 'hide', words: string) => {
    const endpoint = transitions.find(({ transition }) => transition.name === name)?.endpoint
    if (!endpoint || !row.can.includes(name)) return
    void call(endpoint, {}, { params: { id: row.id } }).then((answer) => {
      said({ words, undo: (answer as { undo?: number }).undo })
      reload()
    }, () => undefined)
  }
  const top = () => {
    if (!may(EVALUATION_EDIT)) return
    void request<{ undo?: number }>('PUT', `${evaluation.api.item}/${row.id}`, { top: row.top === 1 ? 0 : 1, rev: row.rev }).then(({ undo }) => {
      said({ words: row.top === 1 ? '已取消置顶' : '已置顶', undo })
      reload()
    }, () => undefined)
  }
  usePageKeys({ p: () => run('show', '已显示'), h: () => run('hide', '已隐藏'), r: () => { if (may(EVALUATION_EDIT)) open('reply') }, t: top })
  return <p className="review-keys"><kbd>P</kbd> 显示 <kbd>H</kbd> 隐藏 <kbd>R</kbd> 回复 <kbd>T</kbd> 置顶，<kbd>J</kbd><kbd>K</kbd> 上下一条</p>
}

/** The open evaluation: what it is about, how it is reviewed by keys, and its reply. */
function Head({ row, reload }: { row: Row; reload: () => void }) {
  const [replying, setReplying] = useState(false)
  return (
    <>
      {row.virtual === 1 && <p><Tag color="warning">运营添加，不计入评分</Tag></p>}
      <ReviewKeys row={row} reload={reload} open={() => setReplying(true)} />
      {replying && <ReplyDialog row={row} reload={reload} onClose={() => setReplying(false)} />}
    </>
  )
}

/** What a list that is narrowed to one course says of it: the average counts learners alone. */
function Above() {
  const [search] = useSearchParams()
  return search.get('lesson_id') === null ? null : <p className="review-note">只看一门课程的评价。评分只计学员的评价，运营添加的不计。</p>
}

/** Evaluations: virtual ones are marked, and reviewed by keys with the record open. */
export default present(evaluation)({
  cells: {
    star: ({ value }) => <span title={`${value} 星`}>{'★'.repeat(Number(value))}</span>,
    virtual: ({ value }) => (value === 1 ? <Tag color="warning">运营添加</Tag> : '学员'),
  },
  slots: { head: Head, above: Above },
  rowActions: [{ key: 'reply', label: '回复', first: true, grant: EVALUATION_EDIT, visible: (row) => row.deleted_at === null }],
  dialogs: { reply: ReplyDialog },
})
