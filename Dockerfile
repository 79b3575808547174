# The course in a container; what you write stays in the folder mine/ beside this file:
#   docker build -t bow2lora .
#   mkdir -p mine && docker run --rm -it -p 8888:8888 -v "$PWD/mine:/home/learner/mine" bow2lora
# JupyterLab prints its address; open the one that begins with http://127.0.0.1. Binder and .devcontainer/ build this file, too.
FROM python:3.12-slim
ARG NB_USER=learner
ARG NB_UID=1000
RUN useradd --create-home --uid ${NB_UID} ${NB_USER}
ENV HOME=/home/${NB_USER}
COPY . /course
RUN python -m pip install --no-cache-dir --extra-index-url https://download.pytorch.org/whl/cpu -c /course/requirements.lock /course
USER ${NB_USER}
WORKDIR ${HOME}
RUN python -m helpers.course.own_folder mine
CMD ["sh", "-c", "python -m helpers.course.own_folder mine && exec jupyter lab --ip=0.0.0.0 --no-browser --LabApp.default_url=/lab/tree/mine/START.ipynb"]
