import { PlusOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { App, Button, Drawer, Dropdown, Empty, Popconfirm, Result, Skeleton, Space, Table, Tooltip } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState, type DragEvent, type KeyboardEvent } from 'react'
import { useParams } from 'react-router'
import { call, request } from '../../../core/endpoint/call.tsx'
import { StateWord } from '../../../core/field/choice.tsx'
import { isSameJson } from '../../../core/field/same-json.ts'
import { formatTime } from '../../../core/field/time.ts'
import { useTabTitle } from '../../../core/shell/tabs-context.tsx'
import { useUndoKeys } from '../../../core/ui/use-undo-keys.tsx'
import { PLAN_STATE, PLAN_STATES, trainingPlan } from '../plan.ts'
import { planVersions } from '../plan-calls.ts'
import { PlanRooms } from '../plan-view.tsx'
import { copies, differences, lastDay, newKey, place, shift, TASK_KINDS, WEEK, type PlanTask } from '../tasks.ts'
import { GenerateDialog } from './generate-dialog.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { TaskDialog } from './task-dialog.tsx'
import { usePlan, type PlanEditing } from './use-plan.tsx'
import '../class-course.css'

const SAVING = { saved: '已保存', saving: '正在保存…', failed: '未能保存' } as const
const TASK_TYPE = 'application/x-plan-task'

/** The board of one plan: weeks of days, each with its tasks. */
export default function BoardScreen() {
  const id = Number(useParams()['id'])
  const { editing, error, reload } = usePlan(id)
  useTabTitle(editing?.row.name)
  if (editing) return <Board key={id} editing={editing} />
  if (error) return <Result status="warning" title={error.message} extra={<Button onClick={() => void reload()}>重试</Button>} />
  return <Skeleton active paragraph={{ rows: 12 }} />
}

/** Versions that were published, and the way back to one. */
function Versions({ editing: { row, tasks, change }, editable, onClose }: { editing: PlanEditing; editable: boolean; onClose: () => void }) {
  const { data } = useQuery({ queryKey: ['plan-versions', row.id, row.version_no], queryFn: ({ signal }) => call(planVersions, undefined, { params: { id: row.id }, signal }) })
  if (!data) return <Skeleton active />
  if (data.items.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有发布过" />
  return (
    <Table size="small" rowKey="no" pagination={false} dataSource={data.items} columns={[
      { title: '版本', render: (_value, { no }) => `v${no}${no === row.version_no ? ' · 正在使用' : ''}` }, { title: '任务', render: (_value, { tasks: own }) => own.length }, { title: '发布', render: (_value, { staff_name, at }) => `${staff_name ?? '系统'} ${formatTime(at).slice(0, 16)}` },
      { title: '与现在相比', render: (_value, { tasks: own }) => { const { added, removed, changed } = differences(own, tasks); return added + removed + changed === 0 ? '相同' : `增 ${added} 改 ${changed} 删 ${removed}` } },
      { title: '', render: (_value, { tasks: own }) => editable && !isSameJson(own, tasks) && <Button size="small" onClick={() => { change(own); onClose() }}>恢复为此版</Button> },
    ]} />
  )
}

type Open = { at: 'generate' | 'publish' | 'versions' | 'rooms' } | { at: 'task'; task: PlanTask; fresh: boolean }

function Board({ editing }: { editing: PlanEditing }) {
  const { row, tasks, targets, change, saving } = editing
  const { message } = App.useApp()
  const [open, setOpen] = useState<Open>()
  const [current, setCurrent] = useState<string>()
  const [over, setOver] = useState<number>()
  const editable = row.can.includes('edit')
  const days = Math.max((row.weeks ?? 1) * WEEK, Math.ceil(lastDay(tasks) / WEEK) * WEEK)
  const target = row.day_minutes ?? 60
  const changed = !isSameJson(tasks, row.published ?? [])
  const byDay = Map.groupBy(tasks, ({ day }) => day)
  const close = () => setOpen(undefined)

  useUndoKeys(editing, editable)

  const drop = (event: DragEvent, day: number, before?: string) => {
    event.preventDefault()
    event.stopPropagation()
    setOver(undefined)
    const task = tasks.find(({ key }) => key === event.dataTransfer.getData(TASK_TYPE))
    if (!task) return
    const moved = event.altKey ? copies([task]) : [task]
    change(place(tasks, moved, day, before))
    setCurrent(moved[0]?.key)
  }
  const press = (event: KeyboardEvent, task: PlanTask) => {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (!editable || !event.altKey || by === 0 || task.day + by < 1 || task.day + by > days) return
    event.preventDefault()
    change(place(tasks, [task], task.day + by))
  }
  const shiftFrom = (day: number, by: number) => {
    const next = shift(tasks, day, by)
    if (next) change(next)
    else void message.warning(by > 0 ? '后移后超出计划最长天数' : `第 ${day - 1} 天有任务或没有更早的天，不能前移`)
  }
  const add = (day: number) => setOpen({ at: 'task', fresh: true, task: { key: newKey(), day, kind: 'watch', show: null, title: '', minutes: 20, required: true, unlock: 0 } })
  const act = async (name: 'disable') => {
    await request('POST', `${trainingPlan.api.item}/${row.id}/${name}`, {}).then(() => message.success('已停用'), () => undefined)
    await editing.reload()
  }
  return (
    <div className="plan">
      <header className="plan-head">
        <div>
          <h1>{row.name}</h1><StateWord choices={PLAN_STATES} value={row.state} />
          <span className="note">{row.subject_name}</span>
          <span className="figure">{tasks.length} 项 · {lastDay(tasks)} 天 · {tasks.reduce((sum, { minutes }) => sum + minutes, 0)} 分钟</span>
          {(row.version_no ?? 0) > 0 && <span className="figure">v{row.version_no}</span>}
          {changed && row.state === PLAN_STATE.live && <span className="note">有未发布的改动</span>}
        </div>
        <Space wrap size={8}>
          {editable && <span className="note" data-state={saving} aria-live="polite">{SAVING[saving]}</span>}
          {saving === 'failed' && <Button size="small" onClick={editing.retry}>重试</Button>}
          {editable && <Tooltip title="撤销（Ctrl Z）"><Button icon={<UndoOutlined />} aria-label="撤销" disabled={!editing.undo} onClick={editing.undo} /></Tooltip>}
          {editable && <Tooltip title="重做（Ctrl Shift Z）"><Button icon={<RedoOutlined />} aria-label="重做" disabled={!editing.redo} onClick={editing.redo} /></Tooltip>}
          {editable && <Button onClick={() => setOpen({ at: 'generate' })}>按目录生成</Button>}
          <Button onClick={() => setOpen({ at: 'rooms' })}>执行</Button>
          <Button onClick={() => setOpen({ at: 'versions' })}>版本</Button>
          {row.can.includes('disable') && <Popconfirm title="停用这个计划？" description="停用后不能再授权给自习室，正在执行的照常进行。" okText="停用" onConfirm={() => act('disable')}><Button>停用</Button></Popconfirm>}
          {row.can.includes('publish') && <Button type="primary" disabled={saving !== 'saved' || (row.state === PLAN_STATE.live && !changed)} onClick={() => setOpen({ at: 'publish' })}>发布</Button>}
        </Space>
      </header>
      {editable ? <p className="note">拖动任务换到别的天，按住 Alt 拖动为复制；选中后 Alt ←→ 前后移一天。</p> : <p className="note">没有「训练计划 · 新增和编辑」权限，只能查看</p>}
      {Array.from({ length: days / WEEK }, (_, week) => (
        <section key={week} className="plan-week" aria-label={`第 ${week + 1} 周`}>
          <h2>第 {week + 1} 周</h2>
          <div className="plan-days">
            {Array.from({ length: WEEK }, (__, at) => week * WEEK + at + 1).map((day) => {
              const own = byDay.get(day) ?? []
              const minutes = own.reduce((sum, one) => sum + one.minutes, 0)
              return (
                <div key={day} className="plan-day" data-day={day} data-over={over === day} onDragOver={(event) => { if (editable && event.dataTransfer.types.includes(TASK_TYPE)) { event.preventDefault(); setOver(day) } }} onDragLeave={() => setOver(undefined)} onDrop={(event) => drop(event, day)}>
                  <header>
                    <span>第 {day} 天</span>
                    <span data-full={minutes > target}>{minutes > 0 ? `${minutes} / ${target} 分` : '休息'}</span>
                    {editable && (
                      <Dropdown trigger={['click']} menu={{ items: [{ key: 'add', label: '添加任务' }, { key: '1', label: '从这天起后移一天' }, { key: '-1', label: '从这天起前移一天' }], onClick: ({ key }) => (key === 'add' ? add(day) : shiftFrom(day, Number(key))) }}>
                        <Button size="small" type="text" icon={<PlusOutlined />} aria-label={`第 ${day} 天的操作`} />
                      </Dropdown>
                    )}
                  </header>
                  {own.map((task) => {
                    const health = task.show && targets.get(`${task.show.kind} ${task.show.ref_id}`)?.health
                    return (
                      <button key={task.key} type="button" className="plan-task" draggable={editable} data-kind={task.kind} data-optional={!task.required} aria-current={task.key === current}
                        onDragStart={({ dataTransfer }) => { dataTransfer.setData(TASK_TYPE, task.key); dataTransfer.effectAllowed = 'copyMove' }} onDrop={(event) => drop(event, day, task.key)}
                        onKeyDown={(event) => press(event, task)} onFocus={() => setCurrent(task.key)} onClick={() => { if (editable) setOpen({ at: 'task', task, fresh: false }) }}>
                        <b>{task.title}</b>
                        <small>{TASK_KINDS.find(({ value }) => value === task.kind)?.label} · {task.minutes} 分{!task.required && ' · 选做'}{health && health.tone !== 'ok' && ` · ${health.words}`}</small>
                      </button>
                    )
                  })}
                </div>
              )
            })}
          </div>
        </section>
      ))}
      {open?.at === 'task' && (
        <TaskDialog editing={editing} task={open.task} fresh={open.fresh} onClose={close} onRemove={() => { change(tasks.filter(({ key }) => key !== open.task.key)); close() }}
          onSave={(task, brought) => { change(open.fresh ? place(tasks, [task], task.day) : tasks.map((one) => (one.key === task.key ? task : one)), brought); setCurrent(task.key); close() }} />
      )}
      {open?.at === 'generate' && <GenerateDialog editing={editing} onClose={close} onTake={(made, brought) => { change([...tasks, ...made], brought); close() }} />}
      {open?.at === 'publish' && <PublishDialog id={row.id} onClose={close} onDone={() => void editing.reload()} />}
      {open?.at === 'versions' && <Drawer open size={720} title="版本" onClose={close}><Versions editing={editing} editable={editable} onClose={close} /></Drawer>}
      {open?.at === 'rooms' && <Drawer open size={640} title="执行" onClose={close}><PlanRooms id={row.id} /></Drawer>}
    </div>
  )
}
