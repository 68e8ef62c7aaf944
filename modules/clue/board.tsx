import { HolderOutlined } from '@ant-design/icons'
import { DndContext, KeyboardSensor, PointerSensor, useDraggable, useDroppable, useSensor, useSensors } from '@dnd-kit/core'
import { CSS } from '@dnd-kit/utilities'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Dropdown, Form, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call, request } from '../../core/endpoint/call.tsx'
import { choiceLabel } from '../../core/field/choice.ts'
import { briefTime } from '../../core/field/time.ts'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useMinute } from '../../core/ui/use-minute.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { clueBoard, type BoardColumn, type ClueCard } from './calls.ts'
import { clue, CLUE_PATH } from './clue.ts'
import { FollowDialog } from './dialogs.tsx'
import { LIVING, STAGE, STAGES } from './stage.ts'

/** Where a card can be put: the stages that people set. */
const TARGETS = STAGES.filter(({ value }) => value !== STAGE.fresh && value !== STAGE.enrolled)

function Card({ card, onMove, onFollow, movable }: { card: ClueCard; onMove: (stage: number) => void; onFollow: () => void; movable: boolean }) {
  const now = useMinute()
  const { attributes, listeners, setNodeRef, transform, isDragging } = useDraggable({ id: card.id, disabled: !movable, data: card })
  return (
    <li ref={setNodeRef} className="clue-card" data-dragging={isDragging} style={{ transform: CSS.Translate.toString(transform) }}>
      <header>
        <span>{movable && <button type="button" className="clue-grip" aria-label={`拖动 ${card.name}`} {...attributes} {...listeners}><HolderOutlined /></button>}<Link to={`${CLUE_PATH}?open=${card.id}`}>{card.name}</Link></span>
        <b>{card.intent}</b>
      </header>
      <p>{card.last_words ?? '还没有跟进'}</p>
      <footer>
        <span className={card.next_follow_at !== null && card.next_follow_at < now ? 'late' : undefined}>{card.next_follow_at === null ? '未约下次' : briefTime(card.next_follow_at)}</span>
        <span>{card.owner_name ?? '公海'}</span>
        {movable && (
          <Dropdown trigger={['click']} menu={{ items: [{ key: 'follow', label: '跟进' }, ...TARGETS.filter(({ value }) => value !== card.stage).map(({ value, label }) => ({ key: String(value), label: `移到「${label}」` }))], onClick: ({ key }) => (key === 'follow' ? onFollow() : onMove(Number(key))) }}>
            <Button size="small" type="text" aria-label={`${card.name}的操作`}>⋯</Button>
          </Dropdown>
        )}
      </footer>
    </li>
  )
}

function Column({ column, children }: { column: BoardColumn; children: React.ReactNode }) {
  const { setNodeRef, isOver } = useDroppable({ id: `stage ${column.stage}`, disabled: column.stage === STAGE.enrolled })
  return (
    <section ref={setNodeRef} className="clue-column" data-over={isOver} aria-label={choiceLabel(STAGES, column.stage)}>
      <h3><span>{choiceLabel(STAGES, column.stage)}</span><Link className="figure" to={`${CLUE_PATH}?stage=${column.stage}`}>{column.total}</Link></h3>
      <ul>{children}</ul>
      {column.total > column.items.length && <p className="note">只显示前 {column.items.length} 条，其余见列表</p>}
    </section>
  )
}

/** The clues by their stages; a card that is put elsewhere moves its clue, and asks for what that needs. */
export function ClueBoard() {
  const can = useCan()
  const said = useSaid()
  const client = useQueryClient()
  const [mine, setMine] = useState(false)
  const [asking, setAsking] = useState<{ card: ClueCard; what: 'void' | 'follow' | 'book' }>()
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, attempt } = useAttempt()
  const { data, error } = useQuery({ queryKey: ['clue-board', mine], queryFn: ({ signal }) => call(clueBoard, mine ? { mine: '1' as const } : {}, { signal, quiet: true }) })
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }), useSensor(KeyboardSensor))
  const reload = () => void client.invalidateQueries({ queryKey: ['clue-board'] })
  const run = (card: ClueCard, stage: number, body: Readonly<Record<string, unknown>> = {}) => attempt(async () => {
    const edge = clue.transitions.find(({ to }) => to === stage)
    if (!edge) return
    try {
      const { undo } = await request<{ undo?: number }>('POST', `${clue.api.item}/${card.id}/${edge.name}`, body, { quiet: true })
      said({ words: `已移到「${choiceLabel(STAGES, stage)}」`, undo })
    } finally {
      reload()
    }
  })
  const move = (card: ClueCard, stage: number) => {
    if (stage === card.stage || !LIVING.includes(card.stage)) return
    if (stage === STAGE.void) return setAsking({ card, what: 'void' })
    if (stage === STAGE.booked) return setAsking({ card, what: 'book' })
    void run(card, stage)
  }
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  const may = can(clue.actions.edit)
  return (
    <>
      <Checkbox checked={mine} onChange={(event) => setMine(event.target.checked)}>只看我的</Checkbox>
      <DndContext sensors={sensors} onDragEnd={({ active, over }) => { if (over) move(active.data.current as ClueCard, Number(String(over.id).split(' ')[1])) }}>
        <div className="clue-board">
          {data.columns.map((column) => (
            <Column key={column.stage} column={column}>
              {column.items.map((card) => <Card key={card.id} card={card} movable={may && LIVING.includes(card.stage)} onMove={(stage) => move(card, stage)} onFollow={() => setAsking({ card, what: 'follow' })} />)}
            </Column>
          ))}
        </div>
      </DndContext>
      {asking?.what === 'void' && (
        <Modal open title={`标为无效 · ${asking.card.name}`} okText="标为无效" okButtonProps={{ danger: true }} confirmLoading={busy} onCancel={() => setAsking(undefined)} destroyOnHidden
          onOk={() => void form.validateFields().then(async ({ reason }) => { await run(asking.card, STAGE.void, { reason }); setAsking(undefined) }, () => undefined)}>
          <Form form={form} layout="vertical"><ReasonItem /></Form>
        </Modal>
      )}
      {(asking?.what === 'follow' || asking?.what === 'book') && <FollowDialog id={asking.card.id} name={asking.card.name} needsNext={asking.what === 'book'} onClose={() => setAsking(undefined)} onDone={() => (asking.what === 'book' ? void run(asking.card, STAGE.booked) : reload())} />}
    </>
  )
}
