import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Empty, Form, Input, Modal, Skeleton, Tabs } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { fillPath } from '../../../core/endpoint/define.ts'
import { formatTime } from '../../../core/field/time.ts'
import { QuestionPicker } from '../../paper/door.tsx'
import { DifficultyTag, QuestionView } from '../../practice/door.tsx'
import type { PracticeCard } from '../../practice/module.ts'
import { materialVersions, materialWord } from './calls.ts'
import { ANSWERS, PIECE_KINDS, practicesOf, type Piece } from './pieces.ts'
import type { MaterialEditing } from './use-material.tsx'

/** Where questions are taken from: the sets of the chapter, and the bank. */
export function AddDrawer({ editing: { content: { sets, subject }, sheet }, onAdd, onClose }: { editing: MaterialEditing; onAdd: (card: PracticeCard) => void; onClose: () => void }) {
  const taken = new Set(practicesOf(sheet.pieces))
  return (
    <Drawer open size={560} mask={false} title="添加试题" onClose={onClose}>
      <Tabs items={[
        ...sets.map(({ name, items }) => ({
          key: name, label: `本章${name} ${items.filter(({ id }) => !taken.has(id)).length}`,
          children: (
            <ul className="bc-candidates">
              {items.map((card) => (
                <li key={card.id}>
                  <p><b>{card.no}</b> <DifficultyTag value={card.difficulty} /> <Button size="small" type={taken.has(card.id) ? 'default' : 'primary'} disabled={taken.has(card.id)} onClick={() => onAdd(card)} aria-label={`选入 ${card.no}`}>{taken.has(card.id) ? '已选' : '选入'}</Button></p>
                  <QuestionView content={card.content} answer="folded" />
                </li>
              ))}
            </ul>
          ),
        })),
        { key: 'bank', label: '题库', children: <QuestionPicker subjectId={subject.id} level={subject.level} paperId={0} taken={taken} replacing={undefined} onPick={onAdd} onCancelReplace={() => undefined} /> },
      ]} />
    </Drawer>
  )
}

/** Versions that were finished, what each prints, and the way back to it. */
export function VersionDrawer({ editing: { content: { row }, sheet, change }, editable, onClose }: { editing: MaterialEditing; editable: boolean; onClose: () => void }) {
  const { message } = App.useApp()
  const { data, error, refetch } = useQuery({ queryKey: ['train-material-versions', row.id, row.version_no], queryFn: ({ signal }) => call(materialVersions, undefined, { params: { id: row.id }, signal, quiet: true }) })
  const numbers = new Map((data?.cards ?? []).map(({ id, no }) => [id, no]))
  const nameOf = ({ kind, ref_id, text }: Piece) => (kind === 'practice' ? numbers.get(ref_id) ?? `试题 ${ref_id}` : text.slice(0, 30))
  return (
    <Drawer open size={560} title="版本" onClose={onClose}>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {!data && !error && <Skeleton active />}
      {data?.items.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有定稿过" />}
      <ol className="bc-list">
        {data?.items.map(({ no, pieces, layout, staff_name, at }) => {
          const now = new Map(sheet.pieces.map((piece) => [piece.key, piece]))
          const own = new Map(pieces.map((piece) => [piece.key, piece]))
          const same = JSON.stringify(pieces) === JSON.stringify(sheet.pieces) && JSON.stringify(layout) === JSON.stringify(sheet.layout)
          const gone = pieces.filter(({ key }) => !now.has(key))
          const fresh = sheet.pieces.filter(({ key }) => !own.has(key))
          return (
            <li key={no}>
              <span className="bc-version">
                <b>第 {no} 版</b> <span>{practicesOf(pieces).length} 题 · 答案{ANSWERS.find(({ value }) => value === layout.answers)?.label}</span> <small>{staff_name ?? '系统'} {formatTime(at).slice(0, 16)}</small>
                {same ? <small>与正在编辑的相同</small> : <small>{[gone.length > 0 && `现在没有 ${gone.slice(0, 3).map(nameOf).join('、')}${gone.length > 3 ? ` 等 ${gone.length} 项` : ''}`, fresh.length > 0 && `之后加入 ${fresh.length} 项`].filter(Boolean).join('；') || '顺序或版面不同'}</small>}
              </span>
              <Button size="small" href={`${fillPath(materialWord.path, { id: row.id })}?no=${no}`} download>Word</Button>
              {editable && !same && <Button size="small" onClick={() => { change({ pieces, layout }, data.cards); void message.success(`已恢复为第 ${no} 版的内容，定稿后成为新版`); onClose() }}>恢复为此版</Button>}
            </li>
          )
        })}
      </ol>
    </Drawer>
  )
}

/** The words of a heading or a text. */
export function WordsDialog({ piece, onSave, onClose }: { piece: Piece; onSave: (piece: Piece) => void; onClose: () => void }) {
  const [text, setText] = useState(piece.text)
  const label = PIECE_KINDS.find(({ value }) => value === piece.kind)?.label ?? '文字'
  return (
    <Modal open title={label} okText="保存" okButtonProps={{ disabled: text.trim() === '' }} onCancel={onClose} onOk={() => onSave({ ...piece, text: text.trim() })}>
      <Form layout="vertical"><Form.Item label={label} htmlFor="bc-words">{piece.kind === 'heading' ? <Input id="bc-words" maxLength={80} showCount value={text} onChange={(event) => setText(event.target.value)} /> : <Input.TextArea id="bc-words" rows={5} maxLength={1000} showCount value={text} onChange={(event) => setText(event.target.value)} />}</Form.Item></Form>
    </Modal>
  )
}
