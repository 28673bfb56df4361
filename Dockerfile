# roborally_env with the machine code of every edition: docker build -t roborally_env .
#
#     docker run --rm roborally_env evaluate --agents planner greedy random --games 100
#
# Machine code fits the processor on which the image is built. The two settings below make it fit all x86-64 processors
# of the last ten years; on another architecture leave them out (docs/compiling.md).
FROM python:3.12-slim AS wheel
COPY . /source
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /source

FROM python:3.12-slim
ARG EXTRAS=render,data
ARG NUMBA_CPU_NAME=x86-64-v3
ENV ROBORALLY_CACHE=/opt/roborally NUMBA_CPU_NAME=${NUMBA_CPU_NAME} NUMBA_CPU_FEATURES=""
COPY --from=wheel /wheels /wheels
RUN pip install --no-cache-dir "$(ls /wheels/*.whl)[${EXTRAS}]" && rm -r /wheels
RUN roborally compile --all
ENTRYPOINT ["roborally"]
CMD ["--help"]
