from roborally_env.courses.boards import shipped_drawing
from roborally_env.courses.reading import SHIPPED
from roborally_env.courses.model import *
from roborally_env.courses.generate.draws import Draws
MAIN = ["5b","5a","4b","2b","6a","6b","4a","2a","3a","3b","1b"]
BOARDS = {}
def board(name):
    if name not in BOARDS:
        d = shipped_drawing(SHIPPED/"2016"/"boards"/f"{name}.txt")
        BOARDS[name] = Board(name,"2016",d.width,d.height,tuple(d.elements))
    return BOARDS[name]
def arranged(edition, *seeds, mains=None):
    while True:
        c = attempt(edition, Draws(*seeds), mains or MAIN)
        if c is not None: return c
        seeds = (*seeds, 1)
def attempt(edition, dr, mains):
    n = dr.weighted([1,2,3],[60,30,10])
    names = dr.shuffled([m for m in dr.shuffled(mains)])
    used = []; 
    for m in names:
        if len(used)<n and m[0] not in [u[0] for u in used]: used.append(m)
    shape = dr.below(3)
    spots = [(0,0),(10,0),(20,0)][:n] if shape==0 else [(0,0),(0,10),(0,20)][:n] if shape==1 else [(0,0),(10,0),(10,10) if dr.chance(.5) else (0,10)][:n]
    places=[(b, x, y, dr.below(4)) for b,(x,y) in zip(used,spots)]
    start = dr.one(["start_a","start_b"])
    host = dr.one(spots)
    q = dr.below(4)  # facing: 0 E, 3 N, 2 W, 1 S
    off = dr.weighted([0,5],[4,1])
    if q==0: at=(host[0]-3,host[1]+off)
    elif q==2: at=(host[0]+10,host[1]+off)
    elif q==1: at=(host[0]+off,host[1]-3)
    else: at=(host[0]+off,host[1]+10)
    places.append((start,*at,q))
    boxes=[]
    for b,x,y,r in places:
        bd=board(b); w,h=(bd.width,bd.height) if r%2==0 else (bd.height,bd.width)
        boxes.append((x,y,w,h))
    for i,a in enumerate(boxes):
        for b in boxes[:i]:
            if a[0]<b[0]+b[2] and b[0]<a[0]+a[2] and a[1]<b[1]+b[3] and b[1]<a[1]+a[3]: return None
    mx=min(b[0] for b in boxes); my=min(b[1] for b in boxes)
    boxes=[(x-mx,y-my,w,h) for x,y,w,h in boxes]
    W=max(x+w for x,y,w,h in boxes); H=max(y+h for x,y,w,h in boxes)
    if W>MAX_WIDTH or H>MAX_HEIGHT: return None
    rows=[[-1]*W for _ in range(H)]; els=[]; pl=[]
    for i,((b,_,_,r),(x,y,w,h)) in enumerate(zip(places,boxes)):
        pl.append(Placement(b,x,y,90*r,w,h))
        for yy in range(y,y+h): rows[yy][x:x+w]=[i]*w
        els += [shifted(e,x,y) for e in rotate(board(b),r).elements]
    if sum(e.kind=="laser" for e in els)>MAX_LASERS or sum(e.kind=="energy" for e in els)>MAX_ENERGY_SPACES: return None
    si=len(pl)-1; sx,sy,sw,sh=boxes[si]
    ax,ay=turned_cell(0,4,3,10,q); antenna=(ax+sx,ay+sy,(1+q)&3)
    taken={(e.x,e.y) for e in els}
    docks={(e.x,e.y) for e in els if e.kind=="dock"}
    plain=[(x,y) for y in range(H) for x in range(W) if rows[y][x]>=0 and rows[y][x]!=si and (x,y) not in {(e.x,e.y) for e in els if e.kind!="wall"}]
    moving=dr.chance(.12)
    floor=plain
    if moving:
        floor=plain+[(e.x,e.y) for e in els if e.kind=="belt" and rows[e.y][e.x]!=si]
    k=dr.weighted([1,2,3,4,5,6],[15,20,25,20,10,10])
    cps=[]
    for _ in range(60):
        if len(cps)==k: break
        c=dr.one(floor)
        if all(abs(c[0]-o[0])+abs(c[1]-o[1])>=4 for o in cps): cps.append(c)
    if dr.chance(.5) or n==1 and dr.chance(.5):
        tx,ty=turned_cell(0,dr.one([6,7]),3,10,q); 
        if (tx+sx,ty+sy) in docks: return None
        reboots=((tx+sx,ty+sy,(1+q)&3),)
    else:
        reboots=[]
        for i in range(si):
            cells=[c for c in plain if rows[c[1]][c[0]]==i and c not in cps]
            x,y=dr.one(cells); reboots.append((x,y,dr.below(4)))
        reboots=tuple(reboots)
    energy=tuple((e.x,e.y) for e in els if e.kind=="energy")
    course=Course(slug="g",title="g",edition="2016",difficulty="",length="",players=(2,6),width=W,height=H,board_at=tuple(map(tuple,rows)),boards=tuple(pl),elements=tuple(els),docks=dock_order(els),antenna=antenna,reboots=reboots,checkpoints=tuple((i+1,*c) for i,c in enumerate(cps)),energy=energy,start_facing=(1+q)&3,moving_checkpoints=moving)
    if edition!="2016":
        from roborally_env.courses.borrowing import raced_by
        course=raced_by(course,edition)
    from roborally_env.courses.checks import course_issues
    if course_issues(course, reachability=False): return None
    return course
def solvable(course, game):
    """from compiled maps: all starts have a finite distance to 1 and each next from previous"""
    from roborally_env.core.searching.distances import course_maps, FAR
    m=course_maps(course,game)
    for i in range(len(course.checkpoints)):
        base=int(m.starts[i])
        cells=[(x,y) for _,x,y in course.docks] if i==0 else [course.checkpoints[i-1][1:]]
        for x,y in cells:
            at=base+(y*32+x)*4
            if m.distance[at:at+4].min()>=2000: return False
    return True
