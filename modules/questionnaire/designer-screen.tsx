import { DeleteOutlined, HolderOutlined, PlusOutlined } from '@ant-design/icons'
import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors, type DragEndEvent } from '@dnd-kit/core'
import { arrayMove, SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, Dropdown, Empty, Form, Input, InputNumber, Segmented, Select, Space } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { request } from '../../core/endpoint/call.tsx'
import { StateWord } from '../../core/field/choice.tsx'
import { isSameJson } from '../../core/field/same-json.ts'
import { useUnsaved } from '../../core/form/unsaved.tsx'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { asks, branches, END, optionsOf, SURVEY_TYPES, type SurveyItem, type SurveyOption } from '../../core/public-page/survey.ts'
import { SurveyView } from '../../core/public-page/survey-view.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { useSaid } from '../../core/undo/use-said.tsx'
import { itemProblems, numberOf, publishProblems, runBranches } from './check.ts'
import { addOption, conditionsFor, newItem, targetsFor, TYPE_NAMES, without } from './designer.ts'
import { questionnaire, QUESTIONNAIRE_PATH, QUESTIONNAIRE_STATE, QUESTIONNAIRE_STATES } from './questionnaire.ts'
import { TEMPLATES } from './templates.ts'

type Row = WireRow<typeof questionnaire>

const nameOf = (items: readonly SurveyItem[], item: SurveyItem) => (asks(item) ? `${numberOf(items, item.id)} ${item.title}` : `${TYPE_NAMES[item.type]} ${item.title}`).slice(0, 40)

/** Options or rows, each with its words; what is removed takes its id with it. */
function Options({ label, list, onChange }: { label: string; list: readonly SurveyOption[]; onChange: (list: SurveyOption[]) => void }) {
  return (
    <Form.Item label={label}>
      {list.map((one, at) => (
        <div key={one.id} className="qn-option">
          <Input aria-label={`${label} ${at + 1}`} value={one.label} maxLength={60} onChange={(event) => onChange(list.map((other) => (other.id === one.id ? { ...one, label: event.target.value } : other)))} />
          <Button type="text" icon={<DeleteOutlined />} aria-label={`删除${label} ${at + 1}`} onClick={() => onChange(list.filter(({ id }) => id !== one.id))} />
        </div>
      ))}
      <Button type="dashed" size="small" icon={<PlusOutlined />} onClick={() => onChange(addOption(list))}>加{label}</Button>
    </Form.Item>
  )
}

/** When an item is asked, and where its answers lead: forward alone. */
function Logic({ items, item, change }: { items: readonly SurveyItem[]; item: SurveyItem; change: (values: Partial<SurveyItem>) => void }) {
  const [before, after] = [conditionsFor(items, item.id), targetsFor(items, item.id)]
  const of = items.find(({ id }) => id === item.show?.question)
  const jumps = item.jumps ?? []
  const to = [...after.map((one) => ({ value: one.id, label: nameOf(items, one) })), { value: END, label: '结束问卷' }]
  return (
    <>
      <h3>显示条件</h3>
      <Space orientation="vertical" className="wide">
        <Select className="wide" allowClear placeholder={before.length === 0 ? '前面没有可以判断的题' : '总是显示'} disabled={before.length === 0} aria-label="显示条件的题" value={item.show?.question} options={before.map((one) => ({ value: one.id, label: nameOf(items, one) }))}
          onChange={(question?: string) => change({ show: question === undefined ? undefined : { question, any: [] } })} />
        {item.show && <Select className="wide" mode="multiple" placeholder="选了其中任一项才显示" aria-label="显示条件的选项" value={[...item.show.any]} options={of ? optionsOf(of).map(({ id, label }) => ({ value: id, label })) : []} onChange={(any: string[]) => item.show && change({ show: { ...item.show, any } })} />}
      </Space>
      {branches(item) && (
        <>
          <h3>跳转</h3>
          {jumps.map((jump, at) => (
            <Space key={at} orientation="vertical" className="wide form-alert">
              <Select className="wide" mode="multiple" placeholder="选了其中任一项" aria-label={`跳转 ${at + 1} 的选项`} value={[...jump.any]} options={optionsOf(item).map(({ id, label }) => ({ value: id, label }))} onChange={(any: string[]) => change({ jumps: jumps.map((one, n) => (n === at ? { ...one, any } : one)) })} />
              <Space.Compact className="wide"><Select className="wide" aria-label={`跳转 ${at + 1} 到`} value={jump.to} options={to} onChange={(next: string) => change({ jumps: jumps.map((one, n) => (n === at ? { ...one, to: next } : one)) })} /><Button icon={<DeleteOutlined />} aria-label={`删除跳转 ${at + 1}`} onClick={() => change({ jumps: jumps.filter((_, n) => n !== at) })} /></Space.Compact>
            </Space>
          ))}
          <Button type="dashed" size="small" icon={<PlusOutlined />} onClick={() => change({ jumps: [...jumps, { any: [], to: END }] })}>加跳转</Button>
        </>
      )}
    </>
  )
}

/** What one item says. */
function Panel({ items, item, change, frozen }: { items: readonly SurveyItem[]; item: SurveyItem; change: (values: Partial<SurveyItem>) => void; frozen: boolean }) {
  return (
    <Form layout="vertical" className="qn-panel" aria-label="题目设置">
      <Form.Item label={item.type === 'page' ? '页标题' : item.type === 'note' ? '说明文字' : '题目'}><Input.TextArea aria-label="题目文字" autoSize={{ minRows: 2, maxRows: 6 }} maxLength={200} value={item.title} onChange={(event) => change({ title: event.target.value })} /></Form.Item>
      {asks(item) && <>
        <Form.Item label="提示"><Input aria-label="提示" maxLength={300} value={item.note ?? ''} onChange={(event) => change({ note: event.target.value || undefined })} /></Form.Item>
        <Form.Item><Checkbox checked={item.required ?? false} disabled={frozen} onChange={(event) => change({ required: event.target.checked })}>必答</Checkbox></Form.Item>
      </>}
      {item.options && <Options label="选项" list={item.options} onChange={(options) => change({ options })} />}
      {item.rows && <Options label="行" list={item.rows} onChange={(rows) => change({ rows })} />}
      {(item.type === 'multi' || item.type === 'rate' || item.type === 'fill' || item.type === 'words') && <Form.Item label={item.type === 'multi' ? '最多可选' : item.type === 'rate' ? '最高分' : '最多字数'}><InputNumber aria-label="上限" min={1} max={item.type === 'rate' ? 10 : 1000} precision={0} disabled={frozen} value={item.most ?? null} onChange={(most) => change({ most: most ?? undefined })} /></Form.Item>}
      {(item.type === 'rate' || item.type === 'nps') && <Space><Input aria-label="低分含义" placeholder="低分含义" maxLength={20} value={item.low ?? ''} onChange={(event) => change({ low: event.target.value || undefined })} /><Input aria-label="高分含义" placeholder="高分含义" maxLength={20} value={item.high ?? ''} onChange={(event) => change({ high: event.target.value || undefined })} /></Space>}
      {frozen ? <p className="note">已发布：只能改文字和增加选项。</p> : <Logic items={items} item={item} change={change} />}
    </Form>
  )
}

function Card({ items, item, chosen, problems, frozen, onChoose, onRemove }: { items: readonly SurveyItem[]; item: SurveyItem; chosen: boolean; problems: readonly string[]; frozen: boolean; onChoose: () => void; onRemove: () => void }) {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id: item.id, disabled: frozen })
  const of = items.find(({ id }) => id === item.show?.question)
  return (
    <li ref={setNodeRef} className="qn-item" data-chosen={chosen} data-wrong={problems.length > 0} data-type={item.type} style={{ transform: CSS.Translate.toString(transform), transition }}>
      {frozen ? <span /> : <button type="button" className="qn-grip" aria-label={`拖动 ${nameOf(items, item)}`} {...attributes} {...listeners}><HolderOutlined /></button>}
      <button type="button" className="qn-open" aria-pressed={chosen} onClick={onChoose}>
        {asks(item) && <b>{numberOf(items, item.id).replace(/[^\d]/g, '')}. </b>}{item.title || <span className="note">（没有文字）</span>}{item.required && <span className="bad"> *</span>}
        <p>{TYPE_NAMES[item.type]}{item.options && ` · ${item.options.length} 个选项`}{of && item.show && ` · 仅当${numberOf(items, of.id)}选「${item.show.any.map((id) => optionsOf(of).find((one) => one.id === id)?.label ?? id).join('、')}」`}{item.jumps?.map(({ any, to }) => ` · 「${any.map((id) => optionsOf(item).find((one) => one.id === id)?.label ?? id).join('、')}」→ ${to === END ? '结束' : numberOf(items, to)}`)}</p>
        {problems.map((words) => <p key={words} className="bad">{words}</p>)}
      </button>
      {!frozen && <Button type="text" size="small" icon={<DeleteOutlined />} aria-label={`删除 ${nameOf(items, item)}`} onClick={onRemove} />}
    </li>
  )
}

/** Every way that answers lead, tried out, with what nobody comes to. */
function Ways({ items }: { items: readonly SurveyItem[] }) {
  const problems = itemProblems(items)
  if (problems.length > 0) return <Alert type="warning" showIcon title="先改好题目，再试走分支" description={<ul className="reasons">{problems.map(({ id, words }) => <li key={`${id} ${words}`}>{id === '' ? words : `${numberOf(items, id)}：${words}`}</li>)}</ul>} />
  const { ways, unreachable, cut } = runBranches(items)
  const number = (id: string) => numberOf(items, id).replace(/[^\d]/g, '')
  return (
    <>
      {unreachable.length > 0 ? <Alert className="form-alert" type="error" showIcon title={`${unreachable.length} 项没有任何回答能到达，不能发布`} description={<ul className="reasons">{unreachable.map((id) => <li key={id}>{nameOf(items, items.find((item) => item.id === id) ?? { id, type: 'note', title: '' })}</li>)}</ul>} /> : <Alert className="form-alert" type="success" showIcon title={`试走了${cut ? '前' : '全部'} ${ways.length} 条分支，每道题都能到达`} />}
      <p className="note">最短 {Math.min(...ways.map(({ ids }) => ids.length))} 题，最长 {Math.max(...ways.map(({ ids }) => ids.length))} 题。</p>
      <ul className="qn-ways" aria-label="分支">{ways.slice(0, 60).map(({ ids, answers }) => <li key={ids.join(' ')}>{ids.map((id) => <b key={id} title={items.find((item) => item.id === id)?.title}>{number(id)}</b>)}<span className="note">{Object.entries(answers).map(([id, answer]) => { const item = items.find((one) => one.id === id); return item ? `${numberOf(items, id)}${[answer].flat().length === 0 ? '不答' : `选「${[answer].flat().map((one) => optionsOf(item).find((other) => other.id === one)?.label ?? one).join('、')}」`}` : '' }).join('，') || '没有分支'}</span></li>)}</ul>
    </>
  )
}

/** Sets the questions: what they are, how they depend on each other, how they look on a phone. */
export function Designer({ row }: { row: Row }) {
  const client = useQueryClient()
  const said = useSaid()
  const { message } = App.useApp()
  const { busy, attempt } = useAttempt()
  const [saved, setSaved] = useState({ items: row.questions ?? [], rev: row.rev, state: row.state })
  const [items, setItems] = useState<readonly SurveyItem[]>(saved.items)
  const [chosen, setChosen] = useState(items[0]?.id)
  const [show, setShow] = useState<'edit' | 'ways' | 'preview'>('edit')
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }), useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }))
  const frozen = saved.state !== QUESTIONNAIRE_STATE.draft
  const changed = !isSameJson(items, saved.items)
  useUnsaved(changed, row.title)
  const item = items.find(({ id }) => id === chosen)
  const problems = Map.groupBy(itemProblems(items), ({ id }) => id)
  const add = (type: SurveyItem['type']) => {
    const made = newItem(type)
    const at = items.findIndex(({ id }) => id === chosen)
    setItems(at < 0 ? [...items, made] : items.toSpliced(at + 1, 0, made))
    setChosen(made.id)
  }
  const drop = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id) return
    setItems(arrayMove([...items], items.findIndex(({ id }) => id === active.id), items.findIndex(({ id }) => id === over.id)))
  }
  const save = () => attempt(async () => {
    const next = await request<Row & { undo?: number }>('PUT', `${questionnaire.api.item}/${row.id}`, { questions: items, rev: saved.rev }, { quiet: true })
    setSaved({ items: next.questions ?? [], rev: next.rev, state: next.state })
    void client.invalidateQueries({ queryKey: ['list', questionnaire.name] })
    said({ words: '已保存', undo: next.undo })
  })
  const publish = () => attempt(async () => {
    const next = await request<Row>('POST', `${questionnaire.api.item}/${row.id}/publish`, { rev: saved.rev }, { quiet: true })
    setSaved({ ...saved, rev: next.rev, state: next.state })
    void client.invalidateQueries({ queryKey: ['list', questionnaire.name] })
    said({ words: '已发布，可在列表中取投放链接' })
  })
  return (
    <section className="page-body" aria-label="问卷设计">
      <div className="qn-bar">
        <Link to={QUESTIONNAIRE_PATH}>问卷</Link><h2>{row.title} <StateWord choices={QUESTIONNAIRE_STATES} value={saved.state} /></h2>
        <Segmented value={show} onChange={setShow} options={[{ value: 'edit', label: '设计' }, { value: 'ways', label: '分支试走' }, { value: 'preview', label: '手机预览' }]} />
        <Button type={changed ? 'primary' : 'default'} disabled={!changed || !row.can.includes('edit')} loading={busy} onClick={() => void save()}>保存</Button>
        {saved.state === QUESTIONNAIRE_STATE.draft && row.can.includes('publish') && <Button type={changed ? 'default' : 'primary'} disabled={changed} loading={busy} title={changed ? '先保存再发布' : undefined} onClick={() => { const [first] = publishProblems(items); if (first) { setShow(first.words.startsWith('没有任何回答') ? 'ways' : 'edit'); setChosen(first.id); void message.error(first.id === '' ? first.words : `${numberOf(items, first.id)}：${first.words}`) } else void publish() }}>发布</Button>}
      </div>
      {show === 'ways' && <Ways items={items} />}
      {show === 'preview' && <div className="qn-phone" aria-label="手机预览"><h3>{row.title}</h3>{row.intro && <p>{row.intro}</p>}<SurveyView key={JSON.stringify(items)} items={items} send="提交" onSend={() => void message.info('预览中不保存回答')} /></div>}
      {show === 'edit' && (
        <div className="qn-sides">
          <div className="qn-types" aria-label="题型">
            {SURVEY_TYPES.map((type) => <Button key={type} icon={<PlusOutlined />} disabled={frozen} onClick={() => add(type)}>{TYPE_NAMES[type]}</Button>)}
            <Dropdown trigger={['click']} disabled={frozen} menu={{ items: TEMPLATES.map(({ name }) => ({ key: name, label: name })), onClick: ({ key }) => { const of = TEMPLATES.find(({ name }) => name === key); if (of) { const rest = of.questions.filter(({ id }) => !items.some((one) => one.id === id)); setItems([...items, ...rest]); setChosen(rest[0]?.id ?? chosen) } } }}><Button>套用模板</Button></Dropdown>
          </div>
          <div>
            {items.length === 0 && <Empty description="还没有题目，从左侧加一道，或套用模板" />}
            <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop}>
              <SortableContext items={items.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
                <ol className="qn-list" aria-label="题目">{items.map((one) => <Card key={one.id} items={items} item={one} chosen={one.id === chosen} problems={(problems.get(one.id) ?? []).map(({ words }) => words)} frozen={frozen} onChoose={() => setChosen(one.id)} onRemove={() => setItems(without(items, one.id))} />)}</ol>
              </SortableContext>
            </DndContext>
          </div>
          {item ? <Panel key={item.id} items={items} item={item} frozen={frozen} change={(values) => setItems(items.map((one) => (one.id === item.id ? { ...one, ...values } : one)))} /> : <p className="note">选中一道题，在这里设置</p>}
        </div>
      )}
    </section>
  )
}
