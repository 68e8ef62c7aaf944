import { AppstoreOutlined, ExportOutlined, ImportOutlined, MenuOutlined, PlusOutlined, ReloadOutlined, StarOutlined, TableOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Badge, Button, Drawer, Empty, Segmented, Select, Skeleton, Space, Tabs, Tooltip } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { actionId } from '../../../core/grant/grant.ts'
import { COUNT_CAP } from '../../../core/list/use-list.tsx'
import { usePreference } from '../../../core/preference/use-preference.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useNextScreen } from '../../../core/shell/next-screen.tsx'
import { useWide } from '../../../core/ui/use-media.tsx'
import { changeBasket, searchPractices, SORTS, type PracticeCard, type Search } from '../bank/calls.ts'
import { BANK_ACTIONS, bankScreen, editorPath, editorRoute, editorScreen, type Pool } from '../bank/practice.ts'
import { changeSearch, countFilters, formatSearch, parseSearch } from '../bank/search-state.ts'
import { selectCatalogs } from '../textbook/calls.ts'
import { selectLabels } from '../label/calls.ts'
import { BulkAssignDialog, BulkChangeDialog, BulkLabelDialog, useBulkSubmit } from './bulk-dialogs.tsx'
import { CatalogTree } from './catalog-tree.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { LabelTree } from './label-tree.tsx'
import { PracticeCardView } from './practice-card.tsx'
import { PracticeTable } from './practice-table.tsx'
import { useBankKeys } from './use-bank-keys.tsx'
import { PracticeActions, useBasketSwitch, useReloadPractices } from './use-moves.tsx'
import { useBasket, useSubjects } from './use-practice.tsx'
import '../../../core/list/list.css'
import './bank.css'

const ImportPanel = lazy(() => import('../import/import-panel.tsx').then((file) => ({ default: file.ImportPanel })))

const ExportDialog = lazy(() => import('../export/export-dialog.tsx').then((file) => ({ default: file.ExportDialog })))

type Level = 0 | 1 | 2
type BulkDialog = 'change' | 'label' | 'assign' | 'export'

interface Settings {
  view: 'card' | 'table'
  size: number
}
const START: Settings = { view: 'card', size: 20 }

/** One page of a bank after a place in it. */
function usePage(search: Search, cursor: string | undefined, enabled: boolean) {
  return useQuery({
    queryKey: ['practices', search, cursor], enabled, placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(searchPractices, { ...search, ...(cursor && { cursor }) }, { signal, quiet: true }),
  })
}

/** Names of the labels and chapters that a list is narrowed by. */
function useChosen(search: Search, change: (part: Partial<Search>) => void) {
  const { label_ids = [], catalog_ids = [] } = search
  const labels = useQuery({ queryKey: ['select-labels', label_ids], enabled: label_ids.length > 0, staleTime: 300_000, queryFn: ({ signal }) => call(selectLabels, { ids: label_ids.map(String) }, { signal }) })
  const chapters = useQuery({ queryKey: ['select-catalogs', catalog_ids], enabled: catalog_ids.length > 0, staleTime: 300_000, queryFn: ({ signal }) => call(selectCatalogs, { ids: catalog_ids.map(String) }, { signal }) })
  return [
    ...(label_ids.length > 0 ? labels.data?.labels ?? [] : []).map(({ id, name }) => ({ id, name, remove: () => change({ label_ids: label_ids.filter((one) => one !== id) }) })),
    ...(catalog_ids.length > 0 ? chapters.data?.catalogs ?? [] : []).map(({ id, name, above }) => ({ id, name: [above[1], name].filter(Boolean).join(' '), remove: () => change({ catalog_ids: catalog_ids.filter((one) => one !== id) }) })),
  ]
}

/** 后台题库 and 正式题库 of one stage: trees at the left, filters above, questions as cards or as a table (domain 1.11). */
export function BankScreen({ pool, level }: { pool: Pool; level: Level }) {
  const navigate = useNavigate()
  const can = useCan()
  const wide = useWide('lg')
  const [address, setAddress] = useSearchParams()
  const [settings, setSettings] = usePreference<Settings>('practice:bank', START)
  const subjects = useSubjects(level)
  const parsed = useMemo(() => parseSearch(address), [address])
  const search: Search = { ...parsed, pool, level, cat_id: parsed.cat_id ?? subjects[0]?.id, page_size: parsed.page_size ?? settings.size }
  const [past, setPast] = useState<string[]>([])
  const [selected, setSelected] = useState<readonly PracticeCard[]>([])
  const [dialog, setDialog] = useState<BulkDialog>()
  const [trees, setTrees] = useState(false)
  const [importing, setImporting] = useState(false)
  const basket = useBasket()
  const page = usePage(search, past.at(-1), search.cat_id !== undefined)
  const first = usePage(search, undefined, false)
  const reload = useReloadPractices()
  const submit = useBulkSubmit()
  const switchBasket = useBasketSwitch()
  const screen = bankScreen(pool, level)
  const may = (action: keyof typeof BANK_ACTIONS) => can(actionId(screen, BANK_ACTIONS[action]))
  const canOpen = can(editorScreen(level))

  const change = (part: Partial<Search>) => {
    setPast([])
    // Whatever was chosen in another subject is not in sight any more.
    if ('cat_id' in part) setSelected([])
    setAddress(formatSearch(changeSearch(parsed, part)))
  }
  const chosen = useChosen(search, change)
  const rows = page.data?.items ?? []
  const total = page.data?.total ?? first.data?.total
  const size = search.page_size ?? settings.size
  const ids = selected.map(({ id }) => id)
  const select = (row: PracticeCard, on: boolean) => setSelected((known) => (on ? [...known.filter(({ id }) => id !== row.id), row] : known.filter(({ id }) => id !== row.id)))
  const selectIds = (next: number[]) => setSelected((known) => next.flatMap((id) => known.find((row) => row.id === id) ?? rows.find((row) => row.id === id) ?? []))
  const { current, list } = useBankKeys({
    rows, enabled: settings.view === 'card' && !dialog && !trees && !importing,
    onSelect: (row) => select(row, !ids.includes(row.id)),
    onOpen: (row) => { if (canOpen) void navigate(editorPath(row.level, row.pool, row.id)) },
    onBasket: (row) => void switchBasket(row).catch(() => undefined),
  })

  useNextScreen(canOpen ? editorRoute(level) : undefined)

  const done = () => {
    setDialog(undefined)
    setSelected([])
    void reload()
  }
  const tree = search.cat_id !== undefined && (
    <Tabs size="small" items={[
      { key: 'knowledge', label: '知识点', children: <LabelTree key={search.cat_id} kind="knowledge" pool={pool} subjectId={search.cat_id} selected={search.label_ids ?? []} onSelect={(next) => { setTrees(false); change({ label_ids: next }) }} height={wide ? 560 : 480} /> },
      { key: 'chapter', label: '章节', children: <CatalogTree key={search.cat_id} subjectId={search.cat_id} selected={search.catalog_ids ?? []} onSelect={(next) => { setTrees(false); change({ catalog_ids: next }) }} height={wide ? 520 : 440} /> },
      { key: 'practice', label: '标签', children: <LabelTree key={search.cat_id} kind="practice" pool={pool} subjectId={search.cat_id} selected={search.label_ids ?? []} onSelect={(next) => { setTrees(false); change({ label_ids: next }) }} height={wide ? 560 : 480} /> },
    ]} />
  )
  const actions = (row: PracticeCard) => <PracticeActions row={row} canOpen={canOpen} />

  const buttons = (
    <Space wrap>
      {!wide && <Button icon={<MenuOutlined />} onClick={() => setTrees(true)}>知识点和章节</Button>}
      <Badge count={basket.count} size="small" overflowCount={999}>
        <Button icon={<StarOutlined />} {...(search.basket && { type: 'primary' as const })} aria-pressed={Boolean(search.basket)} onClick={() => change({ basket: search.basket ? undefined : 1 })}>试题篮</Button>
      </Badge>
      {may('export') && <Button icon={<ExportOutlined />} onClick={() => setDialog('export')}>导出试题</Button>}
      {pool === 'back' && may('import') && <Button icon={<ImportOutlined />} onClick={() => setImporting(true)}>导入试题</Button>}
      {pool === 'back' && may('edit') && canOpen && <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate(`${editorPath(level, 'back', 'new')}?cat_id=${search.cat_id ?? ''}`)}>新增试题</Button>}
    </Space>
  )
  const look = (
    <Space>
      <Select aria-label="排序" value={search.sort ?? '-id'} onChange={(sort) => change({ sort })} options={[...SORTS]} popupMatchSelectWidth={false} />
      <Tooltip title="刷新"><Button type="text" icon={<ReloadOutlined />} aria-label="刷新列表" onClick={() => void page.refetch()} /></Tooltip>
      <Segmented<Settings['view']> aria-label="查看方式" value={settings.view} onChange={(view) => setSettings({ ...settings, view })} options={[{ value: 'card', icon: <AppstoreOutlined />, title: '卡片' }, { value: 'table', icon: <TableOutlined />, title: '表格' }]} />
    </Space>
  )

  return (
    <section className="bank" aria-label={pool === 'back' ? '后台题库' : '正式题库'}>
      {wide && <aside className="bank-trees" aria-label="知识点和章节">{tree}</aside>}
      <div className="list-page bank-main">
        <FilterPanel pool={pool} level={level} search={search} onChange={change} chosen={chosen} look={look} actions={buttons} />
        {selected.length > 0 && (
          <div className="bulk-bar" role="status">
            <span>已选 {selected.length} 道</span>
            {may('edit') && search.cat_id !== undefined && <Button size="small" onClick={() => setDialog('label')}>打标签</Button>}
            {may('edit') && <Button size="small" onClick={() => setDialog('change')}>改难度、来源等</Button>}
            {pool === 'back' && may('submit') && <Button size="small" onClick={() => void submit(ids).then(done, () => undefined)}>提交校对</Button>}
            {pool === 'back' && may('assign') && <Button size="small" onClick={() => setDialog('assign')}>分配校对</Button>}
            <Button size="small" onClick={() => void call(changeBasket, { add: ids }).then(done, () => undefined)}>加入试题篮</Button>
            {Boolean(search.basket) && <Button size="small" onClick={() => void call(changeBasket, { remove: ids }).then(done, () => undefined)}>移出试题篮</Button>}
            <Button size="small" type="link" onClick={() => setSelected([])}>取消选择</Button>
          </div>
        )}
        {page.error && <Alert type="error" showIcon title={page.error.message} action={<Button size="small" onClick={() => void page.refetch()}>重试</Button>} />}
        {settings.view === 'table' ? <PracticeTable rows={rows} loading={page.isPlaceholderData || (page.isPending && page.isFetching)} selected={ids} onSelect={selectIds} actions={actions} official={pool === 'official'} wide={wide} /> : (
          <div className="bank-cards" aria-busy={page.isFetching} ref={list}>
            {page.isPending && !page.error && <Skeleton active paragraph={{ rows: 8 }} />}
            {rows.map((row, index) => (
              <PracticeCardView key={row.id} row={row} place={past.length * size + index + 1} selected={ids.includes(row.id)} current={current === index} onSelect={(on) => select(row, on)}
                onBasket={() => void switchBasket(row).catch(() => undefined)} actions={actions(row)} />
            ))}
          </div>
        )}
        {page.data && rows.length === 0 && <Empty description={countFilters(search) > 0 ? '没有符合条件的试题' : '这个学科还没有试题'} />}
        <div className="pager">
          <span aria-live="polite">{total === undefined ? '' : total >= COUNT_CAP ? '共 10,000+ 道' : `共 ${total.toLocaleString('zh-CN')} 道`}{settings.view === 'card' && rows.length > 0 && wide && <small className="bank-hint">　J/K 上下　空格 选择　A 答案　B 试题篮　回车 打开</small>}</span>
          <Space>
            <Select aria-label="每页条数" value={size} options={[20, 50, 100].map((value) => ({ value, label: `${value} 道/页` }))} onChange={(next) => { setPast([]); setSettings({ ...settings, size: next }) }} />
            <Button disabled={past.length === 0} onClick={() => setPast(past.slice(0, -1))}>上一页</Button>
            <span>第 {past.length + 1} 页</span>
            <Button disabled={!page.data?.next || page.isPlaceholderData} onClick={() => { if (page.data?.next) setPast([...past, page.data.next]) }}>下一页</Button>
          </Space>
        </div>
      </div>
      <Drawer open={trees && !wide} onClose={() => setTrees(false)} placement="left" title="知识点和章节" size={340}>{tree}</Drawer>
      {importing && <Suspense><ImportPanel level={level} onClose={() => setImporting(false)} onChanged={() => void reload()} /></Suspense>}
      {dialog === 'export' && <Suspense><ExportDialog pool={pool} level={level} search={search} total={total} selected={ids} onClose={() => setDialog(undefined)} /></Suspense>}
      {dialog === 'change' && <BulkChangeDialog ids={ids} subjectId={search.cat_id} onClose={() => setDialog(undefined)} onDone={done} />}
      {dialog === 'label' && search.cat_id !== undefined && <BulkLabelDialog ids={ids} subjectId={search.cat_id} onClose={() => setDialog(undefined)} onDone={done} />}
      {dialog === 'assign' && <BulkAssignDialog ids={ids} onClose={() => setDialog(undefined)} onDone={done} />}
    </section>
  )
}
