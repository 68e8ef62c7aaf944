import { BarChartOutlined, HistoryOutlined, PlusOutlined, PrinterOutlined, PushpinOutlined, RedoOutlined, ScanOutlined, SearchOutlined, TableOutlined, UndoOutlined } from '@ant-design/icons'
import { useMutation } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Result, Skeleton, Space, Switch, Tabs, Tag, Tooltip } from 'antd'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { fillPath } from '../../../core/endpoint/define.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import { useTabTitle } from '../../../core/shell/tabs-context.tsx'
import { useUndoKeys } from '../../../core/ui/use-undo-keys.tsx'
import { useWide } from '../../../core/ui/use-media.tsx'
import type { PracticeCard } from '../../practice/module.ts'
import { orderRule } from '../calls.ts'
import { MarkingDrawer } from '../card/marking-drawer.tsx'
import { itemsOf, NO_FRONT, totalScore } from '../compose/body.ts'
import { orderByRule } from '../compose/order.ts'
import { newKey, pickInstead, pickInto, updates } from '../compose/pick.ts'
import { PAPER_STATES } from '../paper.ts'
import { PrintDialog } from '../print/print-dialog.tsx'
import { paperSpecSheet } from '../spec/calls.ts'
import { VersionDrawer } from '../version/version-drawer.tsx'
import { AnalysisPanel } from './analysis-panel.tsx'
import { FrontDialog } from './front-dialog.tsx'
import { PaperSections } from './paper-sections.tsx'
import { Picker } from './picker.tsx'
import { PointsDialog } from './points-dialog.tsx'
import { Saving } from './saving.tsx'
import { SectionDialog } from './section-dialog.tsx'
import { usePaper, type PaperEditing } from './use-paper.tsx'
import './paper.css'

/** Composes one paper: sections and questions at the left, where to take questions from and what the paper is like at the right. */
export default function PaperScreen() {
  const id = Number(useParams()['id'])
  const { editing, error, reload } = usePaper(id)
  useTabTitle(editing?.content.name)
  if (editing) return <PaperEditor key={id} editing={editing} />
  if (error) return <Result status="warning" title={error.message} extra={<Button onClick={reload}>重试</Button>} />
  return <Skeleton active paragraph={{ rows: 12 }} />
}

function PaperEditor({ editing }: { editing: PaperEditing }) {
  const { content, body, cards, change } = editing
  const { message } = App.useApp()
  const navigate = useNavigate()
  const wide = useWide('lg')
  const [target, setTarget] = useState<string>()
  const [answers, setAnswers] = useState(false)
  const [side, setSide] = useState<'pick' | 'analysis'>('pick')
  const [drawer, setDrawer] = useState(false)
  const [replacing, setReplacing] = useState<number>()
  const [section, setSection] = useState<{ key?: string }>()
  const [front, setFront] = useState(false)
  const [points, setPoints] = useState(false)
  const [printing, setPrinting] = useState(false)
  const [comparing, setComparing] = useState(false)
  const [marking, setMarking] = useState(false)
  const order = useMutation({
    mutationFn: () => call(orderRule, { cat_id: String(content.subject_id) }, { quiet: true }),
    onSuccess: ({ practice_category_rule }) => change(orderByRule(body, practice_category_rule, (practiceId) => cards.get(practiceId))),
    onError: (reason) => void message.error(reason.message, 5),
  })

  useUndoKeys(editing)

  const pick = (card: PracticeCard) => {
    change(replacing === undefined ? pickInto(body, card, target) : pickInstead(body, card, replacing), [card])
    setReplacing(undefined)
  }
  const show = (practiceId: number) => {
    setDrawer(false)
    document.getElementById(`paper-item-${practiceId}`)?.scrollIntoView({ block: 'center', behavior: 'smooth' })
  }
  const newer = updates(body, cards)
  const drafts = itemsOf(body).filter(({ practice_id }) => cards.get(practice_id)?.pool === 'back').length
  const pinned = body.sections.find(({ key }) => key === target)
  const taken = new Set(itemsOf(body).map(({ practice_id }) => practice_id))
  const panel = (
    <Tabs activeKey={side} onChange={(key) => setSide(key as typeof side)} items={[
      ...(content.can_edit ? [{ key: 'pick', label: '选题', children: (
        <>
          {pinned
            ? <Alert type="warning" className="paper-pinned" showIcon icon={<PushpinOutlined />} title={`试题都选入「${pinned.name}」`} action={<Button size="small" onClick={() => setTarget(undefined)}>取消固定</Button>} />
            : <p className="paper-faint">试题按题型归入大题，没有的大题自动添加。</p>}
          <Picker subjectId={content.subject_id} level={content.level} paperId={content.id} taken={taken} replacing={replacing === undefined ? undefined : cards.get(replacing)} onPick={pick} onCancelReplace={() => setReplacing(undefined)} />
        </>
      ) }] : []),
      { key: 'analysis', label: '分析', children: <AnalysisPanel editing={editing} onShow={show} /> },
    ]} />
  )

  return (
    <div className="paper-editor">
      <header className="paper-head">
        <div>
          <h1>{content.name}</h1>
          <Space size={8} wrap>
            <Tag>{content.subject_name}</Tag>
            <Tag>{choiceLabel(PAPER_STATES, content.state)}</Tag>
            <span>{itemsOf(body).length} 题</span>
            <span>{totalScore(body)} 分</span>
            {content.duration && <span>{content.duration} 分钟</span>}
            {content.can_edit && <Saving editing={editing} />}
          </Space>
        </div>
        <Space wrap>
          {content.can_edit && (
            <>
              <Tooltip title="撤销（Ctrl+Z）"><Button icon={<UndoOutlined />} aria-label="撤销" disabled={!editing.undo} onClick={editing.undo} /></Tooltip>
              <Tooltip title="重做（Ctrl+Shift+Z）"><Button icon={<RedoOutlined />} aria-label="重做" disabled={!editing.redo} onClick={editing.redo} /></Tooltip>
              <Button icon={<PlusOutlined />} onClick={() => setSection({})}>添加大题</Button>
              <Button onClick={() => setFront(true)}>卷首</Button>
              {content.places.add !== null && <Button icon={<SearchOutlined />} onClick={() => void navigate(content.places.add ?? '')}>整页选题</Button>}
              <Button disabled={taken.size === 0} onClick={() => setPoints(true)}>批量设分</Button>
              <Button disabled={taken.size === 0} loading={order.isPending} onClick={() => order.mutate()}>按题型排序</Button>
            </>
          )}
          <span className="paper-switch"><Switch size="small" checked={answers} onChange={setAnswers} aria-label="显示答案和解析" /> 解析</span>
          {content.version_no > 0 && <Button icon={<HistoryOutlined />} onClick={() => setComparing(true)}>版本</Button>}
          <Button icon={<TableOutlined />} disabled={taken.size === 0} href={fillPath(paperSpecSheet.path, { id: content.id })} download>细目表</Button>
          <Button icon={<PrinterOutlined />} disabled={taken.size === 0} onClick={() => setPrinting(true)}>打印</Button>
          {content.can_mark && <Button icon={<ScanOutlined />} onClick={() => setMarking(true)}>阅卷</Button>}
          {!wide && content.can_edit && <Button type="primary" icon={<SearchOutlined />} onClick={() => { setSide('pick'); setDrawer(true) }}>选题</Button>}
          {!wide && <Button icon={<BarChartOutlined />} onClick={() => { setSide('analysis'); setDrawer(true) }}>分析</Button>}
        </Space>
      </header>
      {content.read_only && <Alert type="info" showIcon title={content.read_only} />}
      {drafts > 0 && <Alert type="warning" showIcon title={`${drafts} 题还是后备题库的草稿，发布后自动换成正式题，之后才能提交审核`} />}
      {content.can_edit && newer.length > 0 && (
        <Alert type="info" showIcon title={`${newer.length} 题在题库中已有新版本，试卷仍用选入时的版本`} action={<Button size="small" onClick={() => change(newer)}>全部更新</Button>} />
      )}
      <div className="paper-columns">
        <main className="paper-sheet">
          <PaperSections editing={editing} answers={answers} target={target} onTarget={(key) => setTarget(key === target ? undefined : key)} onEditSection={(key) => setSection({ key })}
            onReplace={(practiceId) => { setReplacing(practiceId); setSide('pick'); if (!wide) setDrawer(true) }} />
        </main>
        {wide && <aside className="paper-side" aria-label="选题和分析">{panel}</aside>}
      </div>
      {!wide && <Drawer open={drawer} onClose={() => setDrawer(false)} size="100%" title={content.name}>{panel}</Drawer>}
      {section && (
        <SectionDialog section={body.sections.find(({ key }) => key === section.key)} onClose={() => setSection(undefined)}
          onSave={(words) => { change([{ do: 'section', key: section.key ?? newKey(body), ...words }]); setSection(undefined) }} />
      )}
      {front && <FrontDialog front={body.front ?? NO_FRONT} onClose={() => setFront(false)} onSave={(words) => { change([{ do: 'front', front: words }]); setFront(false) }} />}
      {points && <PointsDialog body={body} cards={cards} onClose={() => setPoints(false)} onSave={(changes) => { change(changes); setPoints(false) }} />}
      {comparing && <VersionDrawer editing={editing} onClose={() => setComparing(false)} />}
      {marking && <MarkingDrawer content={content} onClose={() => setMarking(false)} />}
      {printing && <PrintDialog content={content} body={body} cards={cards} onClose={() => setPrinting(false)} />}
    </div>
  )
}
