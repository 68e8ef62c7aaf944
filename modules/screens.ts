/**
 * Every screen of the console with its module id, path and title (spec 2). Ids are stored in the database as grants, so an id
 * means one screen for ever: a new screen takes a number that never stood here, rows may stand in any order of the menu.
 * Screen ids are group × 100 + n. A screen that no module shows yet stays out of the menu; its id is kept for it.
 */
const groups = [
  { id: 1, title: '用户管理', icon: 'team', screens: [
    [101, '/userManagement/total', '用户总中心'],
    [102, '/userManagement/staff', '内部员工'],
  ] },
  { id: 2, title: '课程管理', icon: 'video', screens: [
    [201, '/course/list', '课程列表'],
    [202, '/course/relation', '课程关联'],
    [203, '/course/comment', '课程评价'],
    [204, '/course/tag', '课程标签'],
    [205, '/course/videoManagement/:courseId', '视频管理'],
    [206, '/course/sections/:courseId', '章节管理'],
    [207, '/course/paper/list', '试卷列表'],
    [208, '/course/paper/index/:type/:id', '课程试卷'],
    [209, '/course/paper/detail/:id', '试卷详情'],
    [210, '/course/paper/addPractice/:id', '添加试题'],
    [211, '/course/users', '课程用户'],
  ] },
  { id: 3, title: '假期课程', icon: 'calendar', screens: [
    [301, '/vacation/class', '假期班级'],
    [302, '/vacation/order', '假期订单'],
    [303, '/vacation/user', '假期用户'],
    [304, '/vacation/course', '假期课程'],
  ] },
  { id: 4, title: '小学应用', icon: 'letters', screens: [
    [401, '/englishApp/textbooks', '教材管理'],
    [402, '/englishApp/series', '系列管理'],
    [403, '/englishApp/detail', '单词详情'],
    [404, '/englishApp/phonogram', '音标管理'],
    [405, '/englishApp/catalog', '教材目录'],
    [406, '/englishApp/phonogramcatalog', '音标目录'],
    [407, '/englishApp/users', '用户列表'],
    [408, '/englishApp/orders', '订单列表'],
    [409, '/englishApp/addWord', '添加单词'],
    [410, '/englishApp/editWord/:id', '编辑单词'],
  ] },
  { id: 5, title: '课堂课程', icon: 'board', screens: [
    [501, '/classCourse/courseDirectories', '课程目录'],
    [502, '/classCourse/juniorSpecialUse', '初中专用'],
    [503, '/classCourse/seniorSpecialUse', '高中专用'],
    [504, '/classCourse/seniorPaper', '高中试卷'],
    [505, '/classCourse/trainingPlan', '训练计划'],
    [506, '/classCourse/trainingPlan/:id/tasks', '训练任务'],
    [507, '/classCourse/studyRoom', '自习室课程'],
  ] },
  { id: 6, title: '高中同步', icon: 'book-open', screens: [
    [601, '/syncCourse/textbook', '教材版本'],
    [602, '/syncCourse/series', '系列'],
    [603, '/syncCourse/detail', '课程详情'],
    [604, '/syncCourse/catalog', '目录'],
    [605, '/syncCourse/user', '用户'],
    [606, '/syncCourse/order', '订单'],
  ] },
  { id: 7, title: '初中同步', icon: 'book', screens: [
    [701, '/juniorSyncCourse/textbook', '教材版本'],
    [702, '/juniorSyncCourse/series', '系列'],
    [703, '/juniorSyncCourse/detail', '课程详情'],
    [704, '/juniorSyncCourse/catalog', '目录'],
    [705, '/juniorSyncCourse/user', '用户'],
    [706, '/juniorSyncCourse/order', '订单'],
  ] },
  { id: 8, title: '初中训练营', icon: 'flag', screens: [
    [801, '/juniorTraining/content', '内容管理'],
    [802, '/juniorTraining/courseDirectories', '课程目录'],
    [803, '/juniorTraining/user', '用户'],
    [804, '/juniorTraining/order', '订单'],
  ] },
  { id: 9, title: '初中进修', icon: 'rise', screens: [
    [901, '/juniorRefresherTraining/textbook', '教材版本'],
    [902, '/juniorRefresherTraining/detail', '课程详情'],
    [903, '/juniorRefresherTraining/catalog', '目录'],
    [904, '/juniorRefresherTraining/user', '用户'],
    [905, '/juniorRefresherTraining/order', '订单'],
  ] },
  { id: 10, title: '初升高拓展', icon: 'rocket', screens: [
    [1001, '/juniorHighEnrichment/detail', '课程详情'],
    [1002, '/juniorHighEnrichment/catalog', '目录'],
    [1003, '/juniorHighEnrichment/user', '用户'],
    [1004, '/juniorHighEnrichment/order', '订单'],
  ] },
  { id: 11, title: '初升高复习班', icon: 'history', screens: [
    [1101, '/juniorHighReviewClass/detail', '课程详情'],
    [1102, '/juniorHighReviewClass/catalog', '目录'],
    [1103, '/juniorHighReviewClass/user', '用户'],
    [1104, '/juniorHighReviewClass/order', '订单'],
  ] },
  { id: 12, title: '精英训练营', icon: 'trophy', screens: [
    [1201, '/excellent-training/user', '用户'],
    [1202, '/excellent-training/order', '订单'],
    [1203, '/excellent-training/paper', '试卷'],
    [1204, '/excellent-training/clue', '线索'],
    [1205, '/excellent-training/project', '项目'],
  ] },
  { id: 13, title: '合伙自习室', short: '合伙', icon: 'shop', screens: [
    [1301, '/new-study-room/partner', '合伙人'],
    [1302, '/new-study-room/partner-order', '合伙人订单'],
    [1303, '/new-study-room/authorization-code', '授权码'],
    [1304, '/new-study-room/authorization-detail', '授权码明细'],
    [1305, '/new-study-room/school/school-list', '学校列表'],
    [1306, '/new-study-room/school/school-teacher', '学校教师'],
    [1307, '/new-study-room/school/school-student', '学校学生'],
    [1308, '/new-study-room/school/school-order', '学校订单'],
    [1309, '/new-study-room/self-study-room/list', '自习室列表'],
    [1310, '/new-study-room/self-study-room/order', '自习室订单'],
    [1311, '/new-study-room/self-study-room/membership-card', '会员卡'],
    [1312, '/new-study-room/self-study-room/user', '自习室用户'],
    [1313, '/new-study-room/self-study-room/user-order', '用户订单'],
  ] },
  { id: 14, title: '自营自习室', short: '自营', icon: 'bank', screens: [
    [1401, '/study-room/pad', '平板管理'],
    [1402, '/study-room/school/list', '学校列表'],
    [1403, '/study-room/school/user-order', '学校用户订单'],
    [1404, '/study-room/list', '自习室列表'],
    [1405, '/study-room/order', '订单'],
    [1406, '/study-room/member-card', '会员卡'],
    [1407, '/study-room/user', '用户'],
    [1408, '/study-room/user-order', '用户订单'],
  ] },
  { id: 15, title: '教辅图书', icon: 'container', screens: [
    [1501, '/practiceBook/user', '用户'],
    [1502, '/practiceBook/marketUser', '市场用户'],
    [1503, '/practiceBook/marketVirtual', '市场虚拟用户'],
    [1504, '/practiceBook/order', '订单'],
    [1505, '/practiceBook/order/virtual', '虚拟订单'],
    [1506, '/practiceBook/deleteOrders', '已删除订单'],
    [1507, '/practiceBook/matter', '物料'],
    [1508, '/practiceBook/content/training', '训练'],
    [1509, '/practiceBook/content/ai-measurement', 'AI测评'],
    [1510, '/practiceBook/content/combination', '组合'],
    [1511, '/practiceBook/content/ebook/senior', '高中电子书'],
    [1512, '/practiceBook/content/ebook/junior', '初中电子书'],
    [1513, '/practiceBook/content/ebook/primary', '小学电子书'],
    [1514, '/practiceBook/content/pebManage', '电子书管理'],
    [1515, '/practiceBook/content/pebDetail', '电子书详情'],
    [1516, '/practiceBook/content/excellentPractice', '优选题'],
    [1517, '/practiceBook/content/gaokaoPractice', '高考题'],
    [1518, '/practiceBook/activeCode', '激活码'],
    [1519, '/practiceBook/activeDetail', '激活码明细'],
    [1520, '/practiceBook/merchandise', '商品'],
    [1521, '/practiceBook/trainMaterialEdit/:id', '训练素材编辑'],
  ] },
  { id: 16, title: '题库', icon: 'database', screens: [
    [1601, '/practice/back', '高中后台题库'],
    [1602, '/practice/official', '高中正式题库'],
    [1603, '/practice/backJunior', '初中后台题库'],
    [1604, '/practice/officialJunior', '初中正式题库'],
    [1605, '/practice/backPrimary', '小学后台题库'],
    [1606, '/practice/officialPrimary', '小学正式题库'],
    [1607, '/practice/practiceVerify', '试题审核'],
    [1608, '/practice/compare', '试题比对'],
    [1609, '/practice/labelOrder', '标签排序'],
    [1610, '/practice/:type/:id', '高中试题编辑'],
    [1611, '/practice/junior/:type/:id', '初中试题编辑'],
    [1612, '/practice/primary/:type/:id', '小学试题编辑'],
    [1613, '/practice/labels', '标签管理'],
    [1614, '/practice/knowledge-label', '知识点标签'],
    [1615, '/practice/ebook-catalogue-label', '电子书目录标签'],
  ] },
  { id: 17, title: '伴学', icon: 'headset', screens: [
    [1701, '/accompany/operation/teacher', '伴学教师'],
    [1702, '/accompany/operation/student', '伴学学生'],
    [1703, '/accompany/operation/order', '伴学订单'],
    [1704, '/accompany/operation/class', '伴学班级'],
    [1705, '/accompany/operation/task', '伴学任务'],
    [1706, '/accompany/operation/report', '伴学报告'],
    [1707, '/accompany/operation/teacher/studentCount/:stuType', '教师学生数'],
    [1708, '/accompany/operation/teacher/amount/:amountType', '教师金额'],
    [1709, '/accompany/tutor/student', '我的学生'],
    [1710, '/accompany/tutor/task', '我的任务'],
    [1711, '/accompany/tutor/student/task/:studentId', '学生任务'],
    [1712, '/accompany/tutor/student/report/:studentId', '学生报告'],
    [1713, '/accompany/tutor/task/content', '任务内容'],
    [1714, '/accompany/research/material', '教研资料'],
    [1715, '/accompany/research/material/:id', '资料详情'],
    [1716, '/accompany/research/material/terms/:id', '资料词条'],
    [1717, '/accompany/research/paper', '教研试卷'],
    [1718, '/accompany/research/paper/:id', '试卷详情'],
    [1719, '/accompany/research/paper/practices/:id', '试卷试题'],
  ] },
  { id: 18, title: '尖子班', icon: 'crown', screens: [
    [1801, '/tptrain/operation/student', '尖子生'],
    [1802, '/tptrain/operation/task', '学习任务'],
    [1803, '/tptrain/research/class', '班级'],
    [1804, '/tptrain/research/class-peiyou', '培优班级'],
    [1805, '/tptrain/research/task', '任务'],
    [1806, '/tptrain/research/material', '资料'],
    [1807, '/tptrain/research/paper', '试卷'],
    [1808, '/tptrain/research/paper/:id', '试卷详情'],
    [1809, '/tptrain/research/paper/practices/:id', '试卷试题'],
    [1810, '/tptrain/order', '订单'],
  ] },
  { id: 19, title: '运营管理', icon: 'chart', screens: [
    [1901, '/operate/query/sn', 'SN查询'],
    [1902, '/operate/query/validity', '有效期查询'],
    [1903, '/operate/monitor/dataCenter', '数据中心'],
    [1904, '/operate/questionnaire/index', '问卷调查'],
    [1905, '/operate/monitor/index', '监控'],
    [1906, '/operate/monitor/detail', '监控详情'],
    [1907, '/operate/flash-sale', '限时抢购'],
    [1908, '/operate/charity/user', '公益用户'],
    [1909, '/operate/user/share', '用户分享'],
    [1910, '/operate/activity', '活动'],
    [1911, '/operate/paylink', '支付链接'],
    [1912, '/operate/orderDetail', '订单详情'],
    [1913, '/operate/feedback', '意见反馈'],
    [1914, '/operate/feedbackDetail', '反馈详情'],
    [1915, '/operate/accountMonitoring', '账号监控'],
    [1916, '/operate/bookStoreApply', '书店申请'],
    [1917, '/operate/teacherApply', '教师申请'],
  ] },
  { id: 20, title: '教师管理', icon: 'id-card', screens: [
    [2001, '/teacher/teacher', '教师'],
    [2002, '/teacher/class', '班级'],
    [2003, '/teacher/paper', '试卷'],
    [2004, '/teacher/operation', '运营'],
  ] },
  { id: 21, title: '视频评论', icon: 'comment', screens: [
    [2101, '/comment/search', '评论查询'],
    [2102, '/comment/search/detail', '评论详情'],
    [2103, '/comment/search/totalDetail', '评论汇总'],
    [2104, '/comment/manage', '评论管理'],
    [2105, '/comment/exercises', '习题评论'],
    [2106, '/comment/teacher', '评论教师'],
  ] },
  { id: 22, title: '基础资源', icon: 'file-text', screens: [
    [2201, '/papers/senior/base-paper', '高中基础试卷'],
    [2202, '/papers/senior/micro-course', '高中微课'],
    [2203, '/papers/senior/micro-paper', '高中微试卷'],
    [2204, '/papers/junior/base-paper', '初中基础试卷'],
    [2205, '/papers/junior/micro-course', '初中微课'],
    [2206, '/papers/junior/micro-paper', '初中微试卷'],
    [2207, '/papers/primary/base-paper', '小学基础试卷'],
    [2208, '/papers/primary/micro-course', '小学微课'],
    [2209, '/papers/primary/micro-paper', '小学微试卷'],
    [2210, '/papers/detail/:id', '试卷详情'],
    [2211, '/papers/juniorDetail/:id', '初中试卷详情'],
    [2212, '/papers/primaryDetail/:id', '小学试卷详情'],
    [2213, '/papers/addPractice/:id', '添加试题'],
    [2214, '/papers/smart-test-paper', '智能试卷'],
    [2215, '/papers/skeleton', '试卷模板'],
  ] },
  { id: 23, title: '素材库', icon: 'picture', screens: [
    [2301, '/material/tag', '素材标签'],
    [2302, '/material/store/video', '视频素材'],
    [2303, '/material/store/image', '图片素材'],
    [2304, '/material/combination', '素材组合'],
    [2305, '/material/combination/detail/:id', '组合详情'],
  ] },
  { id: 24, title: '分销', icon: 'share', screens: [
    [2401, '/distribution/order', '分销订单'],
    [2402, '/distribution/account/proxy', '代理账号'],
  ] },
  { id: 25, title: '必刷题', icon: 'bolt', screens: [
    [2501, '/mustPractice/paper', '必刷试卷'],
    [2502, '/mustPractice/account', '必刷账号'],
    [2503, '/mustPractice/order', '必刷订单'],
  ] },
  { id: 26, title: '工具', icon: 'tool', screens: [
    [2601, '/tools/index', '工具'],
  ] },
  { id: 27, title: '系统管理', icon: 'setting', screens: [
    [2701, '/system/audit', '操作日志'],
    [2702, '/system/jobs', '任务中心'],
    [2703, '/system/recycle', '回收站'],
    [2704, '/system/errors', '前端错误'],
    [2705, '/system/health', '系统状态'],
    [2706, '/system/role-template', '角色模板'],
    [2707, '/system/announcement', '公告管理'],
    [2708, '/system/security', '安全日志'],
    [2709, '/system/app-client', '学习端应用'],
    [2710, '/system/api', '接口文档'],
  ] },
] as const

export type ScreenPath = (typeof groups)[number]['screens'][number][1]

/** Pages of one record whose list is not above them in their address, and the list that stands for them in the menu; {name} is a parameter of the address. */
const lists: Partial<Record<ScreenPath, ScreenPath | `${string}{${string}}${string}`>> = {
  '/course/videoManagement/:courseId': '/course/list',
  '/course/sections/:courseId': '/course/list',
  '/course/paper/index/:type/:id': '/course/paper/list',
  '/course/paper/detail/:id': '/course/paper/list',
  '/course/paper/addPractice/:id': '/course/paper/list',
  '/englishApp/editWord/:id': '/englishApp/detail',
  '/practice/:type/:id': '/practice/{type}',
  '/practice/junior/:type/:id': '/practice/{type}Junior',
  '/practice/primary/:type/:id': '/practice/{type}Primary',
  '/papers/detail/:id': '/papers/senior/base-paper',
  '/papers/juniorDetail/:id': '/papers/junior/base-paper',
  '/papers/primaryDetail/:id': '/papers/primary/base-paper',
  '/papers/addPractice/:id': '/papers/senior/base-paper',
}

export interface Screen {
  readonly id: number
  readonly path: string
  readonly title: string
  /** Screen that stands for it in the menu. */
  readonly activeMenu?: string
}

export interface ScreenGroup {
  readonly id: number
  readonly title: string
  /** What stands for it before the titles of its screens, where other groups have screens of the same title. */
  readonly short: string
  /** Name of its picture in the menu. */
  readonly icon: string
  readonly screens: readonly Screen[]
}

export const screenGroups: readonly ScreenGroup[] = groups.map((group) => ({
  id: group.id,
  title: group.title,
  short: 'short' in group ? group.short : group.title,
  icon: group.icon,
  screens: group.screens.map(([id, path, title]) => {
    const activeMenu = lists[path]
    return { id, path, title, ...(activeMenu && { activeMenu }) }
  }),
}))

/**
 * Refuses a table in which an id or a path means two screens, or an id stands in a group that is not its own.
 * @throws Error that names the row
 */
export function checkScreens(table: readonly Pick<ScreenGroup, 'id' | 'screens'>[]): void {
  const taken = new Set<number | string>()
  const take = (what: number | string, row: string) => {
    if (taken.has(what)) throw new Error(`modules/screens.ts: ${what} stands twice, the second time at ${row}`)
    taken.add(what)
  }
  for (const group of table) {
    take(group.id, `group ${group.id}`)
    for (const { id, path } of group.screens) {
      take(id, path)
      take(path, path)
      if (Math.floor(id / 100) !== group.id) throw new Error(`modules/screens.ts: ${path} has the id ${id}, which is not of group ${group.id}`)
    }
  }
}

checkScreens(screenGroups)

const byPath = new Map(screenGroups.flatMap((group) => group.screens).map((screen) => [screen.path, screen]))

/** Module id of a screen. */
export function screenId(path: ScreenPath): number {
  return byPath.get(path)?.id ?? 0
}

/**
 * A path that was put together from parts, as that of a screen.
 * @throws Error when no screen has it
 */
export function screenPath(path: string): ScreenPath {
  if (!byPath.has(path as ScreenPath)) throw new Error(`modules/screens.ts has no screen ${path}`)
  return path as ScreenPath
}

/** All screens, in the order of the menu. */
export const screens: readonly Screen[] = [...byPath.values()]
