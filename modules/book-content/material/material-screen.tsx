import { FileWordOutlined, HistoryOutlined, PlusOutlined, PrinterOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { useMutation } from '@tanstack/react-query'
import { Alert, App, Button, Dropdown, InputNumber, Result, Segmented, Select, Skeleton, Space, Tooltip } from 'antd'
import { useMemo, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { request } from '../../../core/endpoint/call.tsx'
import { fillPath } from '../../../core/endpoint/define.ts'
import { StateWord } from '../../../core/field/choice.tsx'
import { isSameJson } from '../../../core/field/same-json.ts'
import { useTabTitle } from '../../../core/shell/tabs-context.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useWide } from '../../../core/ui/use-media.tsx'
import { useUndoKeys } from '../../../core/ui/use-undo-keys.tsx'
import { PrintPages, SHEETS, type PageFill } from '../../paper/door.tsx'
import type { PracticeCard } from '../../practice/module.ts'
import { TRAINING } from '../sets.ts'
import { materialWord } from './calls.ts'
import { materialBlocks } from './material-blocks.tsx'
import { MATERIAL_STATE, MATERIAL_STATES, materialPath, trainMaterial } from './material.ts'
import { AddDrawer, VersionDrawer, WordsDialog } from './material-drawers.tsx'
import { PieceList } from './piece-list.tsx'
import { ANSWERS, fillOf, MAX_PIECES, newPiece, PAPERS, practicesOf, type Layout, type Piece } from './pieces.ts'
import { outdated, useMaterial, type MaterialEditing } from './use-material.tsx'
import '../book-content.css'

const SAVING = { saved: '已保存', saving: '正在保存…', failed: '未能保存' } as const
const FILLS = { over: '超版：有一道题比一页还高，请减少留白或拆开', under: '未排满，可以补题或取消分页' } as const

/** 训练素材编辑: the pieces at the left, the pages as they are printed beside them. */
export default function MaterialScreen() {
  const id = Number(useParams()['id'])
  const { editing, error, reload } = useMaterial(id)
  useTabTitle(editing?.content.row.name)
  if (editing) return <Editor key={id} editing={editing} />
  if (error) return <Result status="warning" title={error.message} extra={<Button onClick={() => void reload()}>重试</Button>} />
  return <Skeleton active paragraph={{ rows: 12 }} />
}

/** What is said of a page on the screen alone. */
function FillNote({ fill: { share, over, last, no } }: { fill: PageFill }) {
  const state = fillOf(over ? 2 : share, last)
  return state === undefined ? null : <div className="bc-fill" data-state={state} role="note" aria-label={`第 ${no} 页 ${FILLS[state]}`}>{state === 'over' ? '超版' : `排了 ${Math.round(share * 100)}%`}</div>
}

type Open = { readonly at: 'add' | 'versions' } | { readonly at: 'words'; readonly piece: Piece; readonly fresh?: true }

function Editor({ editing }: { editing: MaterialEditing }) {
  const { content: { row, subject, others }, sheet: { pieces, layout }, cards, change, saving } = editing
  const { message } = App.useApp()
  const can = useCan()
  const navigate = useNavigate()
  const wide = useWide('lg')
  const [view, setView] = useState<'pieces' | 'pages'>('pieces')
  const [open, setOpen] = useState<Open>()
  const editable = row.can.includes('edit')
  const changed = (row.version_no ?? 0) > 0 && !isSameJson(pieces, row.finished ?? [])
  const newer = outdated(editing.sheet, cards)
  const blocks = useMemo(() => materialBlocks(pieces, layout, cards), [pieces, layout, cards])
  const sheet = SHEETS.find(({ value }) => value === layout.paper) ?? SHEETS[0]
  useUndoKeys(editing, editable)

  const add = (piece: Piece, brought: readonly PracticeCard[] = []) => {
    if (pieces.length >= MAX_PIECES) return void message.warning(`最多 ${MAX_PIECES} 项内容，请分成几份素材`)
    change({ pieces: [...pieces, piece] }, brought)
  }
  const set = (part: Partial<Layout>) => change({ layout: { ...layout, ...part } })
  const finish = useMutation({
    mutationFn: () => request('POST', `${trainMaterial.api.item}/${row.id}/finish`, {}, { quiet: true }),
    onSuccess: async () => {
      void message.success(`已定稿为第 ${(row.version_no ?? 0) + 1} 版`)
      await editing.reload()
    },
    onError: (reason) => void message.error(reason.message, 5),
  })
  const word = (answers?: Layout['answers']) => `${fillPath(materialWord.path, { id: row.id })}${answers ? `?answers=${answers}` : ''}`
  const list = <PieceList editing={editing} editable={editable} onWords={(piece) => setOpen({ at: 'words', piece })} />
  const pages = blocks.length === 0 ? null : <PrintPages blocks={blocks} sheet={sheet} seal={false} title={row.name} watermark="" first={layout.first_page} badge={(fill) => <FillNote fill={fill} />} />
  const close = () => setOpen(undefined)
  return (
    <div className="bc">
      <header className="bc-line">
        <div className="bc-head">
          <h1>{row.name}</h1>
          <StateWord choices={MATERIAL_STATES} value={row.state} />
          <span>{can(TRAINING) ? <Link to={`/practiceBook/content/training?book_id=${row.book_id}`}>{row.book_name}</Link> : row.book_name} · {subject.name}</span>
          <span className="figure">{practicesOf(pieces).length} 题</span>
          {(row.version_no ?? 0) > 0 && <span className="figure">第 {row.version_no} 版</span>}
          {changed && row.state === MATERIAL_STATE.final && <span className="bc-warn">定稿后有改动</span>}
        </div>
        <Space wrap size={8}>
          {editable && <span className="bc-saving" data-state={saving} aria-live="polite">{SAVING[saving]}</span>}
          {saving === 'failed' && <Button size="small" onClick={editing.retry}>重试</Button>}
          {editable && <Tooltip title="撤销（Ctrl Z）"><Button icon={<UndoOutlined />} aria-label="撤销" disabled={!editing.undo} onClick={editing.undo} /></Tooltip>}
          {editable && <Tooltip title="重做（Ctrl Shift Z）"><Button icon={<RedoOutlined />} aria-label="重做" disabled={!editing.redo} onClick={editing.redo} /></Tooltip>}
          <Button icon={<HistoryOutlined />} onClick={() => setOpen({ at: 'versions' })}>版本</Button>
          <Dropdown menu={{ items: [{ key: 'own', label: <a href={word()} download>按版面设置</a> }, ...ANSWERS.map(({ value, label }) => ({ key: value, label: <a href={word(value)} download>答案{label}</a> }))] }}><Button icon={<FileWordOutlined />} disabled={blocks.length === 0 || saving === 'saving'}>Word</Button></Dropdown>
          <Button icon={<PrinterOutlined />} disabled={blocks.length === 0} onClick={() => { setView('pages'); window.setTimeout(() => window.print()) }}>打印或存为 PDF</Button>
          {row.can.includes('finish') && <Button type="primary" loading={finish.isPending} disabled={saving !== 'saved' || practicesOf(pieces).length === 0} onClick={() => finish.mutate()}>定稿</Button>}
        </Space>
      </header>
      {!editable && <p className="note">没有「训练素材 · 新增和编辑」权限，只能查看</p>}
      {editable && newer.length > 0 && <Alert type="info" showIcon title={`${newer.length} 题在题库中已有新版本，素材仍用选入时的版本`} action={<Button size="small" onClick={() => change({ pieces: pieces.map((piece) => (newer.includes(piece.ref_id) ? { ...piece, version_no: cards.get(piece.ref_id)?.latest ?? piece.version_no } : piece)) })}>全部更新</Button>} />}
      <div className="bc-layout">
        <Select aria-label="本书的训练素材" className="bc-others" value={row.id} onChange={(id) => void navigate(materialPath(id))} options={others.map(({ id, name, state }) => ({ value: id, label: `${name}${state === MATERIAL_STATE.final ? '（已定稿）' : ''}` }))} />
        <Segmented aria-label="纸张" disabled={!editable} options={PAPERS.map(({ value, label }) => ({ value, label }))} value={layout.paper} onChange={(paper) => set({ paper })} />
        <Segmented aria-label="答案" disabled={!editable} options={ANSWERS.map(({ value, label }) => ({ value, label: `答案${label}` }))} value={layout.answers} onChange={(answers) => set({ answers })} />
        <InputNumber aria-label="起始页码" disabled={!editable} prefix="从第" suffix="页起" min={1} max={600} precision={0} value={layout.first_page} onChange={(first_page) => { if (first_page) set({ first_page }) }} />
        {!wide && <Segmented aria-label="编排或版面" value={view} onChange={setView} options={[{ value: 'pieces', label: '编排' }, { value: 'pages', label: '版面' }]} />}
      </div>
      <div className="bc-editor" data-alone={!wide}>
        {(wide || view === 'pieces') && (
          <section className="bc-pane" aria-label="编排">
            {editable && <Space wrap className="bc-add"><Button type="dashed" icon={<PlusOutlined />} onClick={() => setOpen({ at: 'add' })}>试题</Button>
              <Button type="dashed" icon={<PlusOutlined />} onClick={() => setOpen({ at: 'words', piece: newPiece({ kind: 'heading' }), fresh: true })}>标题</Button>
              <Button type="dashed" icon={<PlusOutlined />} onClick={() => setOpen({ at: 'words', piece: newPiece({ kind: 'text' }), fresh: true })}>文字</Button></Space>}
            {list}
          </section>
        )}
        {(wide || view === 'pages') && <section className="bc-pages" aria-label="版面">{pages ?? <p className="note">添加试题后，这里是印出来的样子。</p>}</section>}
      </div>
      {open?.at === 'add' && <AddDrawer editing={editing} onAdd={(card) => add(newPiece({ kind: 'practice', ref_id: card.id, version_no: card.version_no, lines: card.type === 4 ? 8 : 0 }), [card])} onClose={close} />}
      {open?.at === 'versions' && <VersionDrawer editing={editing} editable={editable} onClose={close} />}
      {open?.at === 'words' && <WordsDialog piece={open.piece} onClose={close} onSave={(piece) => { close(); if (open.fresh) add(piece); else change({ pieces: pieces.map((one) => (one.key === piece.key ? piece : one)) }) }} />}
    </div>
  )
}
