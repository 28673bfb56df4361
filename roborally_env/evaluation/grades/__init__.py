"""How difficult, how dangerous and how fair a course is, in numbers.

from roborally_env.generated.resolve import load_course
from roborally_env.evaluation.grades import grade

grade(load_course("dizzy_highway")).rounds_alone
"""

from roborally_env.evaluation.grades.course import Grade, grade, plain
from roborally_env.evaluation.grades.estimates import estimate

__all__ = ["Grade", "estimate", "grade", "plain"]
