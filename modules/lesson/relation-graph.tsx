import { Empty } from 'antd'
import { useNavigate } from 'react-router'
import { choiceLabel } from '../../core/field/choice.ts'
import type { LessonGraph } from './calls.ts'
import { layers } from './graph.ts'
import { RELATIONS } from './relation-kind.ts'

const WIDTH = 148
const HEIGHT = 40
const GAP = { x: 84, y: 18 } as const

/** Courses that are connected with one: what leads to it on its left, what it leads to on its right. */
export function RelationGraph({ graph, id }: { graph: LessonGraph; id: number }) {
  const navigate = useNavigate()
  if (graph.edges.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="关联后在这里显示课程之间的关系" />
  const columns = layers(graph.nodes.map((node) => node.id), graph.edges)
  const places = new Map(columns.flatMap((column, x) => column.map((node, y) => [node, { x: x * (WIDTH + GAP.x), y: y * (HEIGHT + GAP.y) }] as const)))
  const names = new Map(graph.nodes.map((node) => [node.id, node.name]))
  const [width, height] = [columns.length * (WIDTH + GAP.x) - GAP.x, Math.max(...columns.map((column) => column.length)) * (HEIGHT + GAP.y) - GAP.y]
  return (
    <div className="relation-graph">
      <svg role="img" aria-label={graph.edges.map(({ parent, child, kind }) => `${names.get(parent) ?? ''} ${choiceLabel(RELATIONS, kind)} ${names.get(child) ?? ''}`).join('；')} width={width + 4} height={height + 4} viewBox={`-2 -2 ${width + 4} ${height + 4}`}>
        {graph.edges.map(({ parent, child, kind }) => {
          const [from, to] = [places.get(parent), places.get(child)]
          if (!from || !to) return null
          const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2]
          return (
            <g key={`${parent} ${child} ${kind}`} className="relation-edge" data-kind={kind}>
              <path d={`M${x1},${y1} C${x1 + GAP.x / 2},${y1} ${x2 - GAP.x / 2},${y2} ${x2},${y2}`} />
              <circle cx={x2} cy={y2} r={3} />
              <text x={x2 - GAP.x / 3} y={y2 - 6} textAnchor="middle">{choiceLabel(RELATIONS, kind)}</text>
            </g>
          )
        })}
        {graph.nodes.map((node) => {
          const at = places.get(node.id)
          return at && (
            <g key={node.id} className="relation-node" data-own={node.id === id} transform={`translate(${at.x},${at.y})`} onClick={() => void navigate(`/course/relation?lesson_id=${node.id}`)}>
              <title>{node.name}</title>
              <rect width={WIDTH} height={HEIGHT} rx={6} />
              <text x={10} y={HEIGHT / 2 + 5}>{node.name.length > 10 ? `${node.name.slice(0, 9)}…` : node.name}</text>
            </g>
          )
        })}
      </svg>
    </div>
  )
}
