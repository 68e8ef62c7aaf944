/** What the parts of the console look like in each state, size and theme: /new/gallery.html of npm run dev. No build has it. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Alert, Button, Checkbox, ConfigProvider, Form, Input, Segmented, Select, Skeleton, Space, Spin, Table, Tabs, theme } from 'antd'
import zhCN from 'antd/locale/zh_CN'
import { createRoot } from 'react-dom/client'
import { StrictMode, type ReactNode } from 'react'
import type { AnyField } from './core/field/any-field.ts'
import { choice, multiChoice, toggle } from './core/field/choice.ts'
import { tags } from './core/field/json.ts'
import { mobile } from './core/field/mobile.ts'
import { money, number } from './core/field/number.ts'
import { longText, text } from './core/field/text.ts'
import { date, time, timeRange } from './core/field/time.ts'
import { viewOf } from './core/field/views.tsx'
import { Problems } from './core/form/problems.tsx'
import { RowMenu } from './core/record/row-menu.tsx'
import { lookTokens, paintOf, tableTokens } from './core/shell/look-tokens.ts'
import { defaultSettings, SIZES, type Size } from './core/shell/settings.ts'
import { DarkContext } from './core/ui/dark.tsx'
import { Outcome } from './core/ui/outcome.tsx'
import { say } from './core/undo/said.ts'
import { UndoBar } from './core/undo/undo-bar.tsx'
import './core/list/list.css'
import './core/record/record.css'
import './core/shell/look.css'
import './core/shell/shell.css'

const TONES = ['idle', 'warning', 'processing', 'success', 'error', 'default'] as const
const WORDS = ['未开始', '待审核', '进行中', '已生效', '已退回', '已结束']
const STATES = TONES.map((tone, place) => ({ value: place + 1, label: WORDS[place] ?? tone, tone }))
const MORNING = 1_764_122_520

/** Every kind of field that needs no server, with a value. */
const FIELDS: readonly (readonly [field: AnyField, value: unknown])[] = [
  [text('名称', { max: 40 }), '道远自习室（人民路店）'], [longText('备注'), '第一行\n第二行'], [number('座位数', { unit: '个' }), 128], [money('实收'), 1_234_500],
  [choice('状态', STATES), 2], [multiChoice('阶段', STATES), [1, 4]], [toggle('启用', { on: '启用', off: '停用' }), 1], [date('签约日期'), MORNING], [time('更新时间'), MORNING],
  [timeRange('营业时间'), '08:30-21:00'], [mobile('手机号'), '13800138002'], [tags('标签'), ['老客户', '加急']],
]

const nothing = () => undefined

function Part({ title, children }: { title: string; children: ReactNode }) {
  return <section style={{ margin: '0 0 32px' }}><h2 style={{ fontSize: 14, lineHeight: '20px', margin: '0 0 12px' }}>{title}</h2>{children}</section>
}

/** One kind in a table, in a form at rest, wrong and closed, and as a filter. */
function FieldLine({ field, value }: { field: AnyField; value: unknown }) {
  const { Cell, Input: Take, Filter } = viewOf(field)
  const take = (more: { disabled?: true } = {}, own: unknown = value) => <Take field={field} name="value" values={{}} value={own} onChange={nothing} {...more} />
  return (
    <tr>
      <th scope="row">{field.label}<small>{field.kind}</small></th>
      <td><Cell field={field} name="value" row={{ value }} value={value} brief /></td>
      <td><Cell field={field} name="value" row={{}} value={null} brief /></td>
      <td>{take()}</td>
      <td>{take({}, null)}</td>
      <td><Form.Item validateStatus="error" help={`请填写${field.label}`} style={{ margin: 0 }}>{take({}, null)}</Form.Item></td>
      <td>{take({ disabled: true })}</td>
      <td>{Filter && <Filter field={field} name="value" values={[]} id={`filter-${field.kind}`} onChange={nothing} />}</td>
    </tr>
  )
}

const ROWS = STATES.map(({ value, label }, place) => ({ key: value, name: `合伙人 ${place + 1}`, state: value, label, money: 120_000 * value }))
const STATE = choice('状态', STATES)

function Rows({ height }: { height: number }) {
  const { Cell } = viewOf(STATE)
  const padding = Math.max(0, (height - 24) / 2)
  return (
    <Table size="small" rowKey="key" dataSource={ROWS} pagination={false} rowSelection={{ selectedRowKeys: [2], onChange: nothing }} style={{ marginBottom: 16 }}
      components={{ body: { cell: (cell: React.ComponentProps<'td'>) => <td {...cell} style={{ ...cell.style, paddingBlock: padding, height }} /> } }}
      columns={[
        { title: `名称（${height} px）`, dataIndex: 'name' },
        { title: '状态', dataIndex: 'state', render: (value: number) => <Cell field={STATE} name="state" row={{}} value={value} brief /> },
        { title: '实收', dataIndex: 'money', align: 'right', render: (value: number) => `¥${(value / 100).toLocaleString('zh-CN')}` },
        { title: '', key: 'act', width: 112, render: () => <Space size={4}><button type="button" className="row-action">查看</button><RowMenu label="更多操作" items={[{ key: 'a', label: '编辑', danger: false, run: nothing }, { key: 'b', label: '作废', danger: true, run: nothing }, { key: 'c', label: '退款', danger: false, refused: '还没有付款', run: nothing }]} /></Space> },
      ]} />
  )
}

function Gallery() {
  return (
    <main style={{ padding: 24 }}>
      <Part title="按钮">
        <Space wrap>{(['primary', 'default', 'text', 'link'] as const).flatMap((type) => [<Button key={type} type={type}>新增</Button>, <Button key={`${type}-off`} type={type} disabled>不可用</Button>, <Button key={`${type}-busy`} type={type} loading>保存中</Button>])}<Button danger>作废</Button></Space>
      </Part>
      <Part title="状态"><Space wrap size={24}>{STATES.map(({ value }) => { const { Cell } = viewOf(STATE); return <Cell key={value} field={STATE} name="state" row={{}} value={value} /> })}</Space></Part>
      <Part title="字段：单元格、空值、输入、空输入、有误、停用、筛选">
        <style>{'.gallery-fields th, .gallery-fields td { padding: 4px 12px 4px 0; text-align: start; vertical-align: top } .gallery-fields th { white-space: nowrap } .gallery-fields small { display: block; color: var(--text-faint); font-weight: 400 }'}</style>
        <table className="gallery-fields"><tbody>{FIELDS.map(([field, value]) => <FieldLine key={field.label} field={field} value={value} />)}</tbody></table>
      </Part>
      <Part title="列表：舒适、标准、紧凑">{[48, 40, 32].map((height) => <Rows key={height} height={height} />)}</Part>
      <Part title="状态页签、标签页、选择"><Space orientation="vertical" size={16}>
        <nav className="state-tabs">{['全部', ...WORDS].map((word, place) => <button key={word} type="button" className="state-tab" aria-pressed={place === 0}>{word}<small>{place * 17 + 6}</small></button>)}</nav>
        <Tabs items={['动态', '文件 3', '订单'].map((label) => ({ key: label, label }))} />
        <Space wrap><Segmented options={['表格', '看板', '日历', '图表']} /><Checkbox defaultChecked>已选</Checkbox><Checkbox indeterminate>部分</Checkbox><Select style={{ width: 160 }} placeholder="请选择" options={STATES} /><Input placeholder="搜索" style={{ width: 200 }} /></Space>
      </Space></Part>
      <Part title="表单问题"><Problems title="请填写名称" fields={[{ name: 'a', label: '名称', text: '请填写名称' }, { name: 'b', label: '手机号', text: '手机号应为 11 位' }]} onGo={nothing} /></Part>
      <Part title="提示"><Space orientation="vertical" style={{ width: '100%' }}>{(['success', 'info', 'warning', 'error'] as const).map((type) => <Alert key={type} type={type} showIcon title="已导出 120 条，文件保留 7 天" />)}<Button onClick={() => say({ words: '已保存', undo: 1 })}>显示 已保存 · 撤销</Button></Space></Part>
      <Part title="读取、空、结果">
        <Skeleton active paragraph={{ rows: 2 }} /><Spin /><p className="list-empty">还没有学生。可以新增，也可以从表格导入</p>
        <Outcome sign="good" title="已提交">等待第二人审核</Outcome><Outcome sign="warning" title="部分完成">3 条没有导入</Outcome><Outcome sign="bad" title="没有权限" actions={<Button>返回首页</Button>}>请联系管理员开通</Outcome>
      </Part>
      <UndoBar />
    </main>
  )
}

/** One theme and size. Two themes cannot share a document, whose variables they set. */
function Framed({ dark, size }: { dark: boolean; size: Size }) {
  const { data, vars } = paintOf(defaultSettings, size, dark)
  const root = document.documentElement
  Object.assign(root.dataset, data)
  for (const [name, value] of Object.entries(vars)) root.style.setProperty(name, value)
  return (
    <DarkContext value={dark}>
      <ConfigProvider locale={zhCN} theme={{ token: lookTokens(defaultSettings, size, dark), algorithm: dark ? theme.darkAlgorithm : theme.defaultAlgorithm, components: { Table: tableTokens(dark) } }} button={{ autoInsertSpace: false }}><Gallery /></ConfigProvider>
    </DarkContext>
  )
}

/** All sizes in both themes, each in a frame of its own. */
function Frames() {
  return <>{SIZES.flatMap((size) => (['light', 'dark'] as const).map((mode) => <figure key={size + mode} style={{ margin: 16 }}><figcaption>{size} · {mode}</figcaption><iframe title={`${size} ${mode}`} src={`?size=${size}&mode=${mode}`} style={{ width: '100%', height: 2600, border: '1px solid #ccc' }} /></figure>))}</>
}

const asked = new URLSearchParams(location.search)
const size = SIZES.find((one) => one === asked.get('size'))
const root = document.getElementById('root')
if (root) createRoot(root).render(<StrictMode><QueryClientProvider client={new QueryClient()}>{size ? <Framed dark={asked.get('mode') === 'dark'} size={size} /> : <Frames />}</QueryClientProvider></StrictMode>)
